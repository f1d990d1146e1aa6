provider "google" {
  project = "my-school"
  region  = "europe-west1"
}

variables {
  name            = "cv-prod-api"
  account_id      = "cv-prod-api"
  behind_balancer = true
  size            = { cpu = 2, memory_mib = 2048, concurrency = 80, min_instances = 1, max_instances = 10, timeout_seconds = 60 }
  project_id      = "my-school"
  region          = "europe-west1"
  environment     = { CHAPTERVERSE_UPLOADS = "gs://my-school-uploads" }
  secrets         = { PGPASSWORD = { id = "projects/my-school/secrets/cv-prod-catalog-password", secret = "cv-prod-catalog-password", version = "1" } }
  leaves_through  = { network = "cv-prod", subnetwork = "cv-prod-run" }
  buckets         = { uploads = "my-school-uploads", artefacts = "my-school-artefacts", results = "my-school-results" }
  queue = {
    name = "cv-prod-index"
    account = {
      name   = "projects/my-school/serviceAccounts/cv-prod-tasks@my-school.iam.gserviceaccount.com"
      email  = "cv-prod-tasks@my-school.iam.gserviceaccount.com"
      member = "serviceAccount:cv-prod-tasks@my-school.iam.gserviceaccount.com"
    }
  }
  source_code = {
    bucket     = "my-school-source"
    object     = "functions-0123456789abcdef.zip"
    builder    = "projects/my-school/serviceAccounts/cv-prod-builder@my-school.iam.gserviceaccount.com"
    repository = "projects/my-school/locations/europe-west1/repositories/cv-prod-functions"
  }
}

run "it_signs_addresses_in_its_own_name" {
  command = plan

  assert {
    condition     = google_service_account_iam_member.signs.role == "roles/iam.serviceAccountTokenCreator"
    error_message = "Teachers could not upload."
  }
  assert {
    condition     = !contains(keys(module.workload.roles), "asks_gemini")
    error_message = "It may ask a model that nobody wanted."
  }
}

run "with_gemini_it_has_the_role_that_it_is_given" {
  command = plan

  variables {
    gemini_role = "projects/my-school/roles/cv_prod_asks_gemini"
  }

  assert {
    condition     = module.workload.roles["asks_gemini"] == "projects/my-school/roles/cv_prod_asks_gemini"
    error_message = "Another role."
  }
}

run "no_room_for_who_is_told_429_is_refused" {
  command         = plan
  expect_failures = [var.size]

  variables {
    environment = { CHAPTERVERSE_MAX_OPEN_REQUESTS = "80" }
  }
}
