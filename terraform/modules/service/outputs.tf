output "name" {
  description = "Name of the service or job."
  value       = var.job ? google_cloud_run_v2_job.this[0].name : google_cloud_run_v2_service.this[0].name
}

output "account" {
  description = "Its identity: name, email and member."
  value       = { name = google_service_account.this.name, email = google_service_account.this.email, member = google_service_account.this.member }
}
