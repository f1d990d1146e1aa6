output "email" {
  description = "The identity's e-mail address."
  value       = google_service_account.this.email
}

output "member" {
  description = "The identity, for grants."
  value       = google_service_account.this.member
}

output "name" {
  description = "The identity as a resource, for grants on itself."
  value       = google_service_account.this.name
}

output "roles" {
  description = "What it was granted on buckets and in the project."
  value       = { for word, role in merge({ for word, use in var.buckets : word => use.role }, var.project_roles) : word => role }
}
