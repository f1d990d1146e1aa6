resource "google_compute_disk" "data" {
  name = "${var.name}-data"
  type = "pd-balanced"
  zone = var.zone
  size = var.disk_gib

  lifecycle {
    prevent_destroy = true # the index can be rebuilt from the artefacts, but that takes hours
  }
}

resource "google_compute_resource_policy" "snapshots" {
  name   = "${var.name}-snapshots"
  region = var.region

  snapshot_schedule_policy {
    schedule {
      hourly_schedule {
        hours_in_cycle = 6
        start_time     = "00:00"
      }
    }
    retention_policy {
      max_retention_days    = 14
      on_source_disk_delete = "KEEP_AUTO_SNAPSHOTS"
    }
    snapshot_properties {
      guest_flush       = false
      storage_locations = [var.region]
    }
  }
}

resource "google_compute_disk_resource_policy_attachment" "snapshots" {
  name = google_compute_resource_policy.snapshots.name
  disk = google_compute_disk.data.name
  zone = var.zone
}

resource "google_compute_address" "this" {
  name         = var.name
  region       = var.region
  address_type = "INTERNAL"
  subnetwork   = var.subnetwork
}

resource "google_compute_instance" "this" {
  name                      = var.name
  machine_type              = var.machine_type
  zone                      = var.zone
  deletion_protection       = true
  allow_stopping_for_update = true

  boot_disk {
    initialize_params {
      image = "cos-cloud/cos-stable"
      size  = 20
    }
  }

  attached_disk {
    source      = google_compute_disk.data.self_link
    device_name = "data"
  }

  network_interface { # no access_config: no public address
    subnetwork = var.subnetwork
    network_ip = google_compute_address.this.address
  }

  service_account {
    email  = google_service_account.this.email
    scopes = ["cloud-platform"] # what it may do is said by its roles
  }

  shielded_instance_config {
    enable_secure_boot          = true
    enable_vtpm                 = true
    enable_integrity_monitoring = true
  }

  metadata = {
    enable-oslogin            = "TRUE"
    block-project-ssh-keys    = "TRUE"
    google-logging-enabled    = "true"
    google-monitoring-enabled = "true"
    user-data                 = templatefile("${path.module}/cloud-init.yaml.tftpl", { image = var.image, port = local.port })
  }
}

resource "google_compute_firewall" "callers" {
  name                    = "${var.name}-callers"
  network                 = var.network
  direction               = "INGRESS"
  source_ranges           = [var.callers_range]
  target_service_accounts = [google_service_account.this.email]

  allow {
    protocol = "tcp"
    ports    = [tostring(local.port)]
  }

  log_config {
    metadata = "INCLUDE_ALL_METADATA"
  }
}

resource "google_dns_record_set" "this" {
  name         = "chroma.${var.dns_zone.domain}."
  managed_zone = var.dns_zone.name
  type         = "A"
  ttl          = 60
  rrdatas      = [google_compute_address.this.address]
}

locals {
  port = 8000
}
