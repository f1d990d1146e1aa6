# The command line where an operator is not: within the network, with an identity that may do what a command needs.
resource "google_cloud_run_v2_job" "this" {
  name                = var.name
  location            = var.region
  deletion_protection = false # it keeps nothing

  template {
    template {
      service_account = module.workload.email
      timeout         = "${var.timeout_seconds}s"
      max_retries     = 0 # a command says itself whether to give it again

      vpc_access {
        egress = "ALL_TRAFFIC"

        network_interfaces {
          network    = var.leaves_through.network
          subnetwork = var.leaves_through.subnetwork
        }
      }

      containers {
        image   = var.image
        command = ["chapterverse"]
        args    = ["doctor"] # what an execution that names nothing else does: it changes nothing

        resources {
          limits = { cpu = "2", memory = "4Gi" }
        }

        dynamic "env" {
          for_each = merge(var.environment, { CHAPTERVERSE_HOME = "/tmp/chapterverse" })

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
      }
    }
  }

  lifecycle {
    ignore_changes = [client, client_version]
  }

  depends_on = [module.workload] # its grants
}
