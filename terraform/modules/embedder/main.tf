resource "google_cloud_run_v2_service" "this" {
  name                = var.name
  location            = var.region
  description         = "The embedding model: texts to vectors, for people and for books."
  ingress             = "INGRESS_TRAFFIC_INTERNAL_ONLY"
  deletion_protection = var.protect
  custom_audiences    = [var.url]

  template {
    service_account                  = module.workload.email
    timeout                          = "${var.size.timeout_seconds}s"
    max_instance_request_concurrency = var.size.concurrency
    gpu_zonal_redundancy_disabled    = local.has_gpu ? true : null # cheaper; its own quota

    scaling {
      min_instance_count = var.size.min_instances
      max_instance_count = var.size.max_instances
    }

    vpc_access {
      egress = "ALL_TRAFFIC"

      network_interfaces {
        network    = var.leaves_through.network
        subnetwork = var.leaves_through.subnetwork
      }
    }

    dynamic "node_selector" {
      for_each = local.has_gpu ? [1] : []

      content {
        accelerator = var.machine.accelerator
      }
    }

    containers {
      name  = "embedder"
      image = var.image

      ports {
        container_port = 8080
      }

      resources {
        limits = merge(
          { cpu = tostring(var.machine.cpu), memory = "${var.machine.memory_gib}Gi" },
          local.has_gpu ? { "nvidia.com/gpu" = "1" } : {},
        )
        cpu_idle          = !local.has_gpu # a GPU is paid for as long as its instance lives
        startup_cpu_boost = true
      }

      dynamic "env" {
        for_each = local.environment

        content {
          name  = env.key
          value = env.value
        }
      }

      dynamic "env" {
        for_each = var.secrets

        content {
          name = env.key

          value_source {
            secret_key_ref {
              secret  = env.value.secret
              version = env.value.version
            }
          }
        }
      }

      startup_probe { # the model is loaded: up to four minutes; asked every second, as somebody may be waiting
        period_seconds    = 1
        timeout_seconds   = 1
        failure_threshold = 240

        http_get {
          path = "/ready"
        }
      }

      liveness_probe {
        period_seconds    = 30
        timeout_seconds   = 10
        failure_threshold = 3

        http_get {
          path = "/health"
        }
      }
    }

    dynamic "containers" { # hands /metrics on to Cloud Monitoring
      for_each = var.metrics_image == "" ? [] : [var.metrics_image]

      content {
        name  = "metrics"
        image = containers.value
      }
    }
  }

  lifecycle {
    ignore_changes = [traffic, scaling, client, client_version] # which revision answers is the release's to say (infra/canary.sh), how many are ready the timetable's (module prewarm)
  }

  depends_on = [module.workload] # its grants
}

locals {
  has_gpu = var.machine.accelerator != ""
  environment = merge(var.environment, {
    CHAPTERVERSE_EMBEDDER         = var.vertex_url != "" ? "vertex" : local.has_gpu ? "sentence-transformers" : "onnx"
    CHAPTERVERSE_EMBEDDER_URL     = var.vertex_url
    CHAPTERVERSE_MAX_BATCH_TOKENS = local.has_gpu ? "32768" : "1024"
    CHAPTERVERSE_ALLOWED_CALLERS  = join(",", [for member in values(var.invokers) : trimprefix(member, "serviceAccount:")])
  })
}
