output "name" {
  description = "Name of the job: gcloud run jobs execute NAME --args=…"
  value       = google_cloud_run_v2_job.this.name
}
