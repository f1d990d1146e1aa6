resource "google_cloud_tasks_queue" "this" {
  name     = "${var.place.prefix}-index"
  location = var.place.region

  rate_limits {
    max_concurrent_dispatches = var.queue.max_concurrent_dispatches
    max_dispatches_per_second = 20
  }

  retry_config {
    max_attempts  = var.queue.max_attempts
    min_backoff   = "5s"
    max_backoff   = "300s"
    max_doublings = 6
  }

  stackdriver_logging_config {
    sampling_ratio = 1
  }
}

# Its token goes with each task.
resource "google_service_account" "tasks" {
  account_id   = "${var.place.prefix}-tasks"
  display_name = "Chapterverse: tasks"
  description  = "Calls the embedder and the nightly service, and nothing else."
}
