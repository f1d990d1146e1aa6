provider "google" {
  project = "my-school"
  region  = "europe-west1"
}

variables {
  project_id    = "my-school"
  name          = "cv-prod-chroma"
  account_id    = "cv-prod-chroma"
  region        = "europe-west1"
  zone          = "europe-west1-b"
  network       = "projects/my-school/global/networks/cv-prod"
  subnetwork    = "projects/my-school/regions/europe-west1/subnetworks/cv-prod-data"
  callers_range = "10.10.0.0/23"
  dns_zone      = { name = "cv-prod", domain = "chapterverse.internal" }
  repository    = { name = "cv-prod-images", location = "europe-west1" }
  image         = "europe-west1-docker.pkg.dev/my-school/cv-prod-images/chroma@sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"
  machine_type  = "e2-standard-2"
  disk_gib      = 20
}

run "it_is_reached_by_functions_and_services_only" {
  command = plan

  assert {
    condition     = length(google_compute_instance.this.network_interface[0].access_config) == 0
    error_message = "Chroma has a public address, and asks nobody for a password."
  }
  assert {
    condition     = google_compute_firewall.callers.source_ranges == toset(["10.10.0.0/23"])
    error_message = "Others may call it."
  }
}

run "its_data_outlive_it" {
  command = plan

  assert {
    condition     = google_compute_resource_policy.snapshots.snapshot_schedule_policy[0].schedule[0].hourly_schedule[0].hours_in_cycle == 6
    error_message = "There are no copies of the disk."
  }
  assert {
    condition     = google_compute_instance.this.deletion_protection
    error_message = "The VM can be deleted by mistake."
  }
  assert {
    condition     = strcontains(google_compute_instance.this.metadata["user-data"], "blkid /dev/disk/by-id/google-data || mkfs.ext4")
    error_message = "A disk with data on it would be formatted."
  }
}

run "an_image_by_tag_is_refused" {
  command         = plan
  expect_failures = [var.image]

  variables {
    image = "chroma:latest"
  }
}

run "callers_from_everywhere_are_refused" {
  command         = plan
  expect_failures = [var.callers_range]

  variables {
    callers_range = "0.0.0.0/0"
  }
}

run "a_zone_of_another_region_is_refused" {
  command         = plan
  expect_failures = [var.zone]

  variables {
    zone = "us-central1-b"
  }
}
