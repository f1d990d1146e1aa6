# Cloud Run's own minimum of a service, set before a bell and taken away after it: no revision changes, and no traffic.
resource "google_cloud_scheduler_job" "this" {
  for_each = local.jobs

  name             = "${var.name}-${each.key}"
  region           = var.region
  description      = each.value.instances > 0 ? "Instances stand ready before a lesson ends." : "Nobody waits any more: down to none."
  schedule         = each.value.schedule
  time_zone        = var.time_zone
  attempt_deadline = "60s"

  retry_config {
    retry_count          = 3
    min_backoff_duration = "5s"
  }

  http_target {
    http_method = "PATCH"
    uri         = "https://run.googleapis.com/v2/projects/${var.project_id}/locations/${var.region}/services/${each.value.service}?updateMask=scaling.minInstanceCount"
    headers     = { Content-Type = "application/json" }
    body        = base64encode(jsonencode({ scaling = { minInstanceCount = each.value.instances } }))

    oauth_token {
      service_account_email = google_service_account.this.email
      scope                 = "https://www.googleapis.com/auth/cloud-platform"
    }
  }

  depends_on = [google_cloud_run_v2_service_iam_member.scales, google_service_account_iam_member.acts]
}

locals {
  jobs = merge([for name, service in var.services : merge(
    { for number, schedule in var.from : "${name}-up-${number}" => { service = service.name, schedule = schedule, instances = service.instances } },
    { for number, schedule in var.until : "${name}-down-${number}" => { service = service.name, schedule = schedule, instances = 0 } },
  )]...)
}
