resource "google_compute_network" "this" {
  name                    = var.place.prefix
  auto_create_subnetworks = false
}

resource "google_compute_subnetwork" "this" {
  for_each = { run = "10.10.0.0/23", data = "10.10.2.0/28" } # Cloud Run takes up to two addresses an instance, and more while it replaces them

  name                     = "${var.place.prefix}-${each.key}"
  network                  = google_compute_network.this.id
  region                   = var.place.region
  ip_cidr_range            = each.value
  private_ip_google_access = true # nothing here has a public address, and all of it calls Google

  log_config {
    aggregation_interval = "INTERVAL_10_MIN"
    flow_sampling        = 0.1
    metadata             = "INCLUDE_ALL_METADATA"
  }
}

# Cloud SQL lives in Google's network and is reached by a private address of this one.
resource "google_compute_global_address" "google_services" {
  name          = "${var.place.prefix}-google-services"
  network       = google_compute_network.this.id
  purpose       = "VPC_PEERING"
  address_type  = "INTERNAL"
  prefix_length = 20
}

resource "google_service_networking_connection" "google_services" {
  network                 = google_compute_network.this.id
  service                 = "servicenetworking.googleapis.com"
  reserved_peering_ranges = [google_compute_global_address.google_services.name]
}

# Names instead of addresses: what is restored onto another address needs no new revision of anything else.
resource "google_dns_managed_zone" "this" {
  name        = var.place.prefix
  dns_name    = "${var.domain}."
  description = "Names of the catalog and the index; seen in this network only."
  visibility  = "private"

  private_visibility_config {
    networks {
      network_url = google_compute_network.this.id
    }
  }
}

resource "google_compute_router" "internet" {
  count = var.internet ? 1 : 0

  name    = "${var.place.prefix}-internet"
  network = google_compute_network.this.id
  region  = var.place.region
}

resource "google_compute_router_nat" "internet" {
  count = var.internet ? 1 : 0

  name                               = "${var.place.prefix}-internet"
  router                             = google_compute_router.internet[0].name
  region                             = var.place.region
  nat_ip_allocate_option             = "AUTO_ONLY"
  source_subnetwork_ip_ranges_to_nat = "LIST_OF_SUBNETWORKS"

  subnetwork {
    name                    = google_compute_subnetwork.this["run"].id
    source_ip_ranges_to_nat = ["ALL_IP_RANGES"]
  }

  log_config {
    enable = true
    filter = "ERRORS_ONLY"
  }
}
