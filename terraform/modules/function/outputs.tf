output "name" {
  description = "Name of the function and of the service behind it."
  value       = google_cloudfunctions2_function.this.name
}
