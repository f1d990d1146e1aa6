output "clock" {
  description = "The identity that begins the nightly work."
  value       = { email = google_service_account.clock.email, member = google_service_account.clock.member }
}
