provider "google" {
  project = "my-school"
  region  = "europe-west1"
}

variables {
  project_id                = "my-school"
  name                      = "cv-prod-index"
  region                    = "europe-west1"
  account_id                = "cv-prod-tasks"
  max_concurrent_dispatches = 32
  max_attempts              = 55
}

run "tasks_are_delivered_again_with_growing_pauses" {
  command = plan

  assert {
    condition     = google_cloud_tasks_queue.this.retry_config[0].max_attempts == 55 && google_cloud_tasks_queue.this.retry_config[0].max_doublings > 0
    error_message = "Attempts or pauses are others than asked for."
  }
  assert {
    condition     = google_cloud_tasks_queue.this.rate_limits[0].max_concurrent_dispatches == 32
    error_message = "Bulk work is let through faster than its share."
  }
  assert {
    condition     = output.path == "projects/my-school/locations/europe-west1/queues/cv-prod-index"
    error_message = "CHAPTERVERSE_QUEUE would name no queue."
  }
}

run "a_queue_that_delivers_once_is_refused" {
  command         = plan
  expect_failures = [var.max_attempts]

  variables {
    max_attempts = 1
  }
}

run "more_than_the_service_allows_is_refused" {
  command         = plan
  expect_failures = [var.max_concurrent_dispatches]

  variables {
    max_concurrent_dispatches = 10000
  }
}
