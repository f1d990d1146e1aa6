provider "google" {
  project = "my-school"
  region  = "europe-west1"
}

variables {
  name   = "cv-prod"
  region = "europe-west1"
}

run "nothing_has_a_way_to_the_internet" {
  command = plan

  assert {
    condition     = length(google_compute_router_nat.internet) == 0
    error_message = "There is a way out that nobody asked for."
  }
  assert {
    condition     = alltrue([for subnetwork in google_compute_subnetwork.this : subnetwork.private_ip_google_access])
    error_message = "Without public addresses, Google is reached by Private Google Access only."
  }
  assert {
    condition     = google_dns_managed_zone.this.visibility == "private"
    error_message = "Names of the catalog and the index are nobody's business."
  }
  assert {
    condition     = google_compute_network.this.auto_create_subnetworks == false
    error_message = "Subnetworks in every region of the world."
  }
}

run "a_language_model_elsewhere_is_reached_by_a_way_out" {
  command = plan

  variables {
    internet = true
  }

  assert {
    condition     = length(google_compute_router_nat.internet) == 1
    error_message = "There is no way out."
  }
}

run "a_block_too_small_for_cloud_run_is_refused" {
  command         = plan
  expect_failures = [var.run_range]

  variables {
    run_range = "10.10.0.0/28"
  }
}
