output "services" {
  description = "What is switched on; whoever needs one depends on this."
  value       = keys(google_project_service.this)
}
