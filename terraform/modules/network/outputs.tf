output "network" {
  description = "The network's id."
  value       = google_compute_network.this.id
}

output "run" {
  description = "Where functions and services leave through: network and subnetwork."
  value       = { network = google_compute_network.this.id, subnetwork = google_compute_subnetwork.this["run"].id }
}

output "run_range" {
  description = "The addresses that calls of functions and services come from."
  value       = google_compute_subnetwork.this["run"].ip_cidr_range
}

output "data_subnetwork" {
  description = "Where machines that keep data are."
  value       = google_compute_subnetwork.this["data"].id
}

output "zone" {
  description = "The private zone: its name, and the domain without the last stop."
  value       = { name = google_dns_managed_zone.this.name, domain = var.domain }
}

output "google_services" {
  description = "The connection to Google's network; an instance of Cloud SQL depends on it."
  value       = google_service_networking_connection.google_services.id
}
