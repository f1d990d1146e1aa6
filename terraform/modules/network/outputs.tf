output "network" {
  description = "Its id, its subnetworks of services and of machines, the addresses of services, and the private zone."
  value = {
    id              = google_compute_network.this.id
    run_subnetwork  = google_compute_subnetwork.this["run"].id
    run_range       = google_compute_subnetwork.this["run"].ip_cidr_range
    data_subnetwork = google_compute_subnetwork.this["data"].id
    zone            = { name = google_dns_managed_zone.this.name, domain = var.domain }
  }
  depends_on = [google_service_networking_connection.google_services] # a catalogue without it cannot be made
}
