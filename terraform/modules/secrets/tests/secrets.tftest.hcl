provider "google" {
  project = "my-school"
  region  = "europe-west1"
}

variables {
  prefix   = "cv-prod"
  region   = "europe-west1"
  names    = ["catalog-password", "llm-key"]
  versions = { catalog-password = 1 }
  values   = { catalog-password = "a long random one" }
  protect  = true
}

run "secrets_stay_in_the_region" {
  command = plan

  assert {
    condition     = alltrue([for secret in google_secret_manager_secret.this : secret.replication[0].user_managed[0].replicas[0].location == "europe-west1"])
    error_message = "A secret is somewhere else."
  }
}

run "no_value_is_in_the_plan" {
  command = plan

  assert {
    condition     = alltrue([for version in google_secret_manager_secret_version.this : version.secret_data == null && version.secret_data_wo == null])
    error_message = "A secret is in the state."
  }
}

run "what_comes_out_of_band_is_read_at_its_latest" {
  command = plan

  assert {
    condition     = output.references["llm-key"].version == "latest"
    error_message = "A version is named that nobody made here."
  }
}

run "a_version_of_no_secret_is_refused" {
  command         = plan
  expect_failures = [var.versions]

  variables {
    versions = { other = 1 }
    values   = { other = "x" }
  }
}
