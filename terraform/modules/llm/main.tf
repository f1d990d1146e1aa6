resource "google_cloud_run_v2_service" "this" {
  name                = var.name
  location            = var.region
  description         = "A language model of our own: vLLM, which speaks OpenAI's chat completions."
  ingress             = "INGRESS_TRAFFIC_INTERNAL_ONLY"
  custom_audiences    = [var.url]
  deletion_protection = var.protect

  template {
    service_account                  = google_service_account.this.email
    timeout                          = "300s"
    max_instance_request_concurrency = var.concurrency # as many as vLLM works on together
    gpu_zonal_redundancy_disabled    = true

    scaling {
      min_instance_count = var.min_instances
      max_instance_count = var.max_instances
    }

    vpc_access {
      egress = "ALL_TRAFFIC"

      network_interfaces {
        network    = var.leaves_through.network
        subnetwork = var.leaves_through.subnetwork
      }
    }

    node_selector {
      accelerator = var.machine.accelerator
    }

    containers {
      image = var.image

      ports {
        container_port = 8080
      }

      resources {
        limits            = { cpu = tostring(var.machine.cpu), memory = "${var.machine.memory_gib}Gi", "nvidia.com/gpu" = "1" }
        cpu_idle          = false
        startup_cpu_boost = true
      }

      dynamic "env" {
        for_each = { MODEL = var.model, MAX_NUM_SEQS = tostring(var.concurrency) }

        content {
          name  = env.key
          value = env.value
        }
      }

      env {
        name = "VLLM_API_KEY"

        value_source {
          secret_key_ref {
            secret  = var.key.secret
            version = var.key.version
          }
        }
      }

      startup_probe { # several GB of weights: up to ten minutes
        period_seconds    = 20
        timeout_seconds   = 5
        failure_threshold = 30

        http_get {
          path = "/health"
        }
      }
    }
  }

  lifecycle {
    ignore_changes = [traffic, client, client_version]
  }

  depends_on = [google_secret_manager_secret_iam_member.reads_key]
}
