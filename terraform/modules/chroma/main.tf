resource "google_compute_disk" "data" {
  name = "${local.name}-data"
  type = "pd-balanced"
  zone = local.zone
  size = var.machine.disk_gib

  lifecycle {
    prevent_destroy = true # the index can be rebuilt from the artefacts, but that takes hours
  }
}

resource "google_compute_resource_policy" "snapshots" {
  name   = "${local.name}-snapshots"
  region = var.place.region

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
      storage_locations = [var.place.region]
    }
  }
}

resource "google_compute_disk_resource_policy_attachment" "snapshots" {
  name = google_compute_resource_policy.snapshots.name
  disk = google_compute_disk.data.name
  zone = local.zone
}

resource "google_compute_address" "this" {
  name         = local.name
  region       = var.place.region
  address_type = "INTERNAL"
  subnetwork   = var.network.data_subnetwork
}

resource "google_compute_instance" "this" {
  name                      = local.name
  machine_type              = var.machine.type
  zone                      = local.zone
  deletion_protection       = false # another image makes another machine; the disk is what is protected
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
    subnetwork = var.network.data_subnetwork
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
    user-data                 = templatefile("${path.module}/cloud-init.yaml.tftpl", { image = var.machine.image, port = local.port })
  }

  lifecycle {
    replace_triggered_by = [terraform_data.image]
  }
}

# The machine reads its image at its start: another one would wait for a reboot that nobody orders.
resource "terraform_data" "image" {
  input = var.machine.image
}

resource "google_compute_firewall" "callers" {
  name                    = "${local.name}-callers"
  network                 = var.network.id
  direction               = "INGRESS"
  source_ranges           = [var.network.run_range]
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
  name         = "chroma.${var.network.zone.domain}."
  managed_zone = var.network.zone.name
  type         = "A"
  ttl          = 60
  rrdatas      = [google_compute_address.this.address]
}

locals {
  name = "${var.place.prefix}-chroma"
  zone = "${var.place.region}-b"
  port = 8000
}
