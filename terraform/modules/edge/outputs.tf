output "address" {
  description = "What the domain's A record points at."
  value       = google_compute_global_address.this.address
}
