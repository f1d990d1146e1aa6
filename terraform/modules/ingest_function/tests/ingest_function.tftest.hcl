provider "google" {
  project = "my-school"
  region  = "europe-west1"
}

variables {
  names          = { uploaded = "cv-prod-uploaded", deleted = "cv-prod-deleted" }
  account_id     = "cv-prod-ingest"
  task_seconds   = 600
  size           = { cpu = 2, memory_mib = 3672, concurrency = 1, max_instances = 4, timeout_seconds = 480 }
  project_id     = "my-school"
  region         = "europe-west1"
  environment    = { CHAPTERVERSE_UPLOADS = "gs://my-school-uploads" }
  secrets        = { PGPASSWORD = { id = "projects/my-school/secrets/cv-prod-catalog-password", secret = "cv-prod-catalog-password", version = "1" } }
  leaves_through = { network = "cv-prod", subnetwork = "cv-prod-run" }
  buckets        = { uploads = "my-school-uploads", artefacts = "my-school-artefacts", results = "my-school-results" }
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

run "both_events_have_their_function" {
  command = plan

  assert {
    condition     = output.names == { uploaded = "cv-prod-uploaded", deleted = "cv-prod-deleted" }
    error_message = "An event has no function."
  }
}

run "it_reads_uploads_and_cannot_change_them" {
  command = plan

  assert {
    condition     = module.workload.roles["uploads"] == "roles/storage.objectViewer"
    error_message = "A parser of strangers' files could write over them."
  }
}

run "a_function_that_outlives_a_task_is_refused" {
  command         = plan
  expect_failures = [var.size]

  variables {
    task_seconds = 480
  }
}

run "two_parsers_in_one_instance_are_refused" {
  command         = plan
  expect_failures = [var.size]

  variables {
    size = { cpu = 2, memory_mib = 3672, concurrency = 2, max_instances = 4, timeout_seconds = 480 }
  }
}
