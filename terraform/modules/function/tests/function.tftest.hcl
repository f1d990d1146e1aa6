provider "google" {
  project = "my-school"
  region  = "europe-west1"
}

variables {
  project_id      = "my-school"
  name            = "cv-prod-nightly"
  description     = "Starts what is done overnight."
  region          = "europe-west1"
  entry_point     = "run_nightly_batches"
  service_account = "cv-prod-nightly@my-school.iam.gserviceaccount.com"
  environment     = { CHAPTERVERSE_HOME = "/tmp/chapterverse" }
  leaves_through  = { network = "cv-prod", subnetwork = "cv-prod-run" }
  size            = { cpu = 1, memory_mib = 1024, concurrency = 1, max_instances = 1, timeout_seconds = 1800 }
  invokers        = { clock = "serviceAccount:cv-prod-clock@my-school.iam.gserviceaccount.com" }
  source_code = {
    bucket     = "my-school-source"
    object     = "functions-0123456789abcdef.zip"
    builder    = "projects/my-school/serviceAccounts/cv-prod-builder@my-school.iam.gserviceaccount.com"
    repository = "projects/my-school/locations/europe-west1/repositories/cv-prod-functions"
  }
}

run "all_that_it_sends_goes_through_the_network" {
  command = plan

  assert {
    condition     = google_cloudfunctions2_function.this.service_config[0].direct_vpc_egress == "VPC_EGRESS_ALL_TRAFFIC"
    error_message = "Calls to the embedder would come from outside and be turned away."
  }
  assert {
    condition     = google_cloudfunctions2_function.this.service_config[0].ingress_settings == "ALLOW_INTERNAL_ONLY"
    error_message = "Anybody's call arrives."
  }
}

run "an_event_is_delivered_until_it_is_answered" {
  command = plan

  variables {
    event = { type = "google.cloud.storage.object.v1.finalized", bucket = "my-school-uploads" }
    size  = { cpu = 1, memory_mib = 1024, concurrency = 1, max_instances = 1, timeout_seconds = 480 }
  }

  assert {
    condition     = google_cloudfunctions2_function.this.event_trigger[0].retry_policy == "RETRY_POLICY_RETRY"
    error_message = "Books would be lost."
  }
}

run "an_event_function_of_ten_minutes_is_refused" {
  command         = plan
  expect_failures = [var.size]

  variables {
    event = { type = "google.cloud.storage.object.v1.finalized", bucket = "my-school-uploads" }
    size  = { cpu = 1, memory_mib = 1024, concurrency = 1, max_instances = 1, timeout_seconds = 600 }
  }
}

run "everybody_is_refused_where_only_our_own_services_call" {
  command         = plan
  expect_failures = [var.invokers]

  variables {
    invokers = { everybody = "allUsers" }
  }
}

run "anybody_with_a_google_account_is_refused_everywhere" {
  command         = plan
  expect_failures = [var.invokers]

  variables {
    ingress  = "ALLOW_ALL"
    invokers = { everybody = "allAuthenticatedUsers" }
  }
}

run "a_password_in_the_environment_is_refused" {
  command         = plan
  expect_failures = [var.environment]

  variables {
    environment = { PGPASSWORD = "secret" }
  }
}
