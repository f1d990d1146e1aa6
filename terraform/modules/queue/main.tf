resource "google_cloud_tasks_queue" "this" {
  name     = var.name
  location = var.region

  rate_limits {
    max_concurrent_dispatches = var.max_concurrent_dispatches
    max_dispatches_per_second = var.max_dispatches_per_second
  }

  retry_config {
    max_attempts  = var.max_attempts
    min_backoff   = "5s"
    max_backoff   = "300s"
    max_doublings = 6
  }

  stackdriver_logging_config {
    sampling_ratio = 1
  }
}
