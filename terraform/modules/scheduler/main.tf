module "function" {
  source = "../function"

  project_id      = var.project_id
  name            = var.name
  description     = "Does overnight what nobody waits for."
  region          = var.region
  entry_point     = "run_nightly_batches"
  source_code     = var.source_code
  service_account = google_service_account.nightly.email
  environment     = merge(var.environment, { CHAPTERVERSE_HOME = "/tmp/chapterverse" })
  secrets         = var.secrets
  leaves_through  = var.leaves_through
  size            = var.size
  invokers        = { clock = google_service_account.clock.member }

  depends_on = [google_secret_manager_secret_iam_member.reads]
}

resource "google_cloud_scheduler_job" "nightly" {
  name             = var.name
  region           = var.region
  description      = "Starts the nightly work."
  schedule         = var.schedule
  time_zone        = var.time_zone
  attempt_deadline = "${local.waits_seconds}s"

  retry_config { # it goes on where it stopped: what is done is not done again
    retry_count          = 5
    min_backoff_duration = "60s"
    max_backoff_duration = "600s"
  }

  http_target {
    http_method = "POST"
    uri         = var.url

    oidc_token {
      service_account_email = google_service_account.clock.email
      audience              = var.url
    }
  }
}

locals {
  waits_seconds = 1800 # as long as Cloud Scheduler waits at most
}
