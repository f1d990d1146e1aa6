# One program of ours: its identity with its grants, and a service of Cloud Run, or a job.
resource "google_cloud_run_v2_service" "this" {
  count = var.job ? 0 : 1

  name                 = "${var.place.prefix}-${var.name}"
  location             = var.place.region
  description          = var.title
  ingress              = var.ingress
  invoker_iam_disabled = var.open # not a grant to allUsers, which new organisations refuse
  custom_audiences     = [var.url]
  deletion_protection  = var.protect

  scaling { # of all revisions together: while a release is tried two answer, and the catalogue counts connections once
    max_instance_count = var.size.max_instances
  }

  template {
    service_account                  = google_service_account.this.email
    timeout                          = "${var.size.timeout_seconds}s"
    max_instance_request_concurrency = var.size.concurrency
    gpu_zonal_redundancy_disabled    = local.has_gpu ? true : null # cheaper; its own quota

    scaling {
      min_instance_count = var.size.min_instances
      max_instance_count = var.size.max_instances
    }

    vpc_access {
      egress = "ALL_TRAFFIC" # so that calls to other services count as internal

      network_interfaces {
        network    = var.network.id
        subnetwork = var.network.run_subnetwork
      }
    }

    dynamic "node_selector" {
      for_each = local.has_gpu ? [1] : []
      content {
        accelerator = var.size.accelerator
      }
    }

    containers {
      name    = "app"
      image   = var.image
      command = var.command

      ports {
        container_port = 8080
      }

      resources {
        limits            = merge({ cpu = tostring(var.size.cpu), memory = "${var.size.memory_mib}Mi" }, local.has_gpu ? { "nvidia.com/gpu" = "1" } : {})
        cpu_idle          = !local.has_gpu # a GPU is paid for as long as its instance lives
        startup_cpu_boost = true
      }

      dynamic "env" {
        for_each = local.environment
        content {
          name  = env.key
          value = env.value.text
          dynamic "value_source" {
            for_each = env.value.secret[*]
            content {
              secret_key_ref {
                secret  = value_source.value.secret
                version = value_source.value.version
              }
            }
          }
        }
      }

      dynamic "startup_probe" { # what vectors and pages use is there: a new instance's way into the network may take a minute
        for_each = var.ready[*]
        content {
          period_seconds    = startup_probe.value.period_seconds
          timeout_seconds   = startup_probe.value.period_seconds
          failure_threshold = startup_probe.value.failures
          http_get {
            path = startup_probe.value.path
          }
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

  lifecycle { # image and traffic are the release's (infra/canary.sh), how many are ready is the timetable's
    ignore_changes = [template[0].containers[0].image, template[0].revision, traffic, scaling[0].min_instance_count, client, client_version]
  }

  depends_on = [google_storage_bucket_iam_member.this, google_project_iam_member.this, google_secret_manager_secret_iam_member.reads]
}

resource "google_cloud_run_v2_job" "this" {
  count = var.job ? 1 : 0

  name                = "${var.place.prefix}-${var.name}"
  location            = var.place.region
  deletion_protection = false # it keeps nothing

  template {
    template {
      service_account = google_service_account.this.email
      timeout         = "${var.size.timeout_seconds}s"
      max_retries     = 0 # a command says itself whether to give it again

      vpc_access {
        egress = "ALL_TRAFFIC"

        network_interfaces {
          network    = var.network.id
          subnetwork = var.network.run_subnetwork
        }
      }

      containers {
        image   = var.image
        command = var.command
        args    = ["doctor"] # of an execution that names nothing else: it changes nothing

        resources {
          limits = { cpu = tostring(var.size.cpu), memory = "${var.size.memory_mib}Mi" }
        }

        dynamic "env" {
          for_each = local.environment
          content {
            name  = env.key
            value = env.value.text
            dynamic "value_source" {
              for_each = env.value.secret[*]
              content {
                secret_key_ref {
                  secret  = value_source.value.secret
                  version = value_source.value.version
                }
              }
            }
          }
        }
      }
    }
  }

  lifecycle {
    ignore_changes = [template[0].template[0].containers[0].image, client, client_version]
  }

  depends_on = [google_storage_bucket_iam_member.this, google_project_iam_member.this, google_secret_manager_secret_iam_member.reads]
}

locals {
  has_gpu = var.size.accelerator != ""
  environment = merge(
    { for name, text in var.environment : name => { text = text, secret = null } },
    { for name, secret in var.secrets : name => { text = null, secret = secret } },
  )
}
