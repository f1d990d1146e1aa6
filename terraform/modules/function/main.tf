resource "google_cloudfunctions2_function" "this" {
  name        = var.name
  location    = var.region
  description = var.description

  build_config {
    runtime           = "python311" # as scripts/build_functions.py pins it (a test compares)
    entry_point       = var.entry_point
    service_account   = var.source_code.builder
    docker_repository = var.source_code.repository

    source {
      storage_source {
        bucket = var.source_code.bucket
        object = var.source_code.object
      }
    }
  }

  service_config {
    service_account_email            = var.service_account
    ingress_settings                 = var.ingress
    all_traffic_on_latest_revision   = !var.gradual
    available_cpu                    = tostring(var.size.cpu)
    available_memory                 = "${var.size.memory_mib}Mi"
    max_instance_request_concurrency = var.size.concurrency
    min_instance_count               = var.size.min_instances
    max_instance_count               = var.size.max_instances
    timeout_seconds                  = var.size.timeout_seconds
    environment_variables            = var.environment
    direct_vpc_egress                = "VPC_EGRESS_ALL_TRAFFIC" # so that calls to the embedder count as internal

    direct_vpc_network_interface {
      network    = var.leaves_through.network
      subnetwork = var.leaves_through.subnetwork
    }

    dynamic "secret_environment_variables" {
      for_each = var.secrets

      content {
        key        = secret_environment_variables.key
        project_id = var.project_id
        secret     = secret_environment_variables.value.secret
        version    = secret_environment_variables.value.version
      }
    }
  }

  dynamic "event_trigger" {
    for_each = var.event[*]

    content {
      event_type            = event_trigger.value.type
      trigger_region        = var.region
      retry_policy          = "RETRY_POLICY_RETRY" # an answer of 500 means "again"
      service_account_email = var.service_account

      event_filters {
        attribute = "bucket"
        value     = event_trigger.value.bucket
      }
    }
  }
}
