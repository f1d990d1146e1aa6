output "name" {
  description = "The queue's name."
  value       = google_cloud_tasks_queue.this.name
}

output "path" {
  description = "The queue as CHAPTERVERSE_QUEUE names it."
  value       = "projects/${var.project_id}/locations/${var.region}/queues/${var.name}"
}

output "account" {
  description = "The identity that tasks carry."
  value = {
    name   = google_service_account.tasks.name
    email  = google_service_account.tasks.email
    member = google_service_account.tasks.member
  }
}
