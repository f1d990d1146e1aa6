output "name" {
  description = "Name of the service."
  value       = google_cloud_run_v2_service.this.name
}

output "member" {
  description = "The identity, for grants."
  value       = module.workload.member
}
