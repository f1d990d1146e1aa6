module "function" {
  source = "../function"

  project_id      = var.project_id
  name            = var.name
  description     = "Does overnight what nobody waits for."
  region          = var.region
  entry_point     = "run_nightly_batches"
  source_code     = var.source_code
  service_account = module.workload.email
  secrets         = var.secrets
  leaves_through  = var.leaves_through
  size            = var.size
  invokers        = { clock = google_service_account.clock.member, tasks = var.queue.account.member }

  environment = merge(var.environment, {
    CHAPTERVERSE_HOME            = "/tmp/chapterverse"
    CHAPTERVERSE_ALLOWED_CALLERS = "${google_service_account.clock.email},${var.queue.account.email}"
    THREADS                      = tostring(var.size.concurrency)
  })

  depends_on = [module.workload] # its grants
}

resource "google_cloud_scheduler_job" "nightly" {
  for_each = var.schedules

  name             = each.key == "all" ? var.name : "${var.name}-${replace(each.key, "/[^a-zA-Z0-9_-]/", "-")}"
  region           = var.region
  description      = "Begins the batches of essays that wait."
  schedule         = each.value
  time_zone        = var.time_zone
  attempt_deadline = "${var.size.timeout_seconds + 60}s"

  retry_config { # what is begun is not begun again
    retry_count          = 5
    min_backoff_duration = "60s"
    max_backoff_duration = "600s"
  }

  http_target {
    http_method = "POST"
    uri         = var.url
    headers     = { Content-Type = "application/json" }
    body        = base64encode(jsonencode(each.key == "all" ? {} : { school = each.key }))

    oidc_token {
      service_account_email = google_service_account.clock.email
      audience              = var.url
    }
  }
}
