provider "google" {
  project = "my-school"
  region  = "europe-west1"
}

variables {
  name             = "cv-prod-nightly"
  url              = "https://cv-prod-nightly-123456789012.europe-west1.run.app"
  account_id       = "cv-prod-nightly"
  clock_account_id = "cv-prod-clock"
  time_zone        = "Europe/Berlin"
  size             = { cpu = 2, memory_mib = 2048, concurrency = 10, max_instances = 2, timeout_seconds = 660 }
  task_seconds     = 600
  project_id       = "my-school"
  region           = "europe-west1"
  environment      = { CHAPTERVERSE_UPLOADS = "gs://my-school-uploads" }
  secrets          = { PGPASSWORD = { id = "projects/my-school/secrets/cv-prod-catalog-password", secret = "cv-prod-catalog-password", version = "1" } }
  leaves_through   = { network = "cv-prod", subnetwork = "cv-prod-run" }
  buckets          = { uploads = "my-school-uploads", artefacts = "my-school-artefacts", results = "my-school-results" }
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

run "the_clock_shows_who_it_is" {
  command = plan

  assert {
    condition     = google_cloud_scheduler_job.nightly["all"].http_target[0].oidc_token[0].audience == google_cloud_scheduler_job.nightly["all"].http_target[0].uri
    error_message = "The function would turn the clock away."
  }
  assert {
    condition     = google_cloud_scheduler_job.nightly["all"].time_zone == "Europe/Berlin"
    error_message = "Night is another time."
  }
}

run "a_school_may_have_an_hour_of_its_own" {
  command = plan

  variables {
    schedules = { "oak-street" = "0 18 * * 1-5" }
  }

  assert {
    condition     = base64decode(google_cloud_scheduler_job.nightly["oak-street"].http_target[0].body) == "{\"school\":\"oak-street\"}"
    error_message = "Another school's batches would begin."
  }
}

run "the_function_ends_before_the_clock_stops_waiting" {
  command = plan

  assert {
    condition     = var.size.timeout_seconds < tonumber(trimsuffix(google_cloud_scheduler_job.nightly["all"].attempt_deadline, "s"))
    error_message = "It would be started again while it works."
  }
}

run "a_function_that_ends_before_a_task_is_refused" {
  command         = plan
  expect_failures = [var.size]

  variables {
    size = { cpu = 2, memory_mib = 2048, concurrency = 10, max_instances = 2, timeout_seconds = 600 }
  }
}

run "a_schedule_that_is_none_is_refused" {
  command         = plan
  expect_failures = [var.schedules]

  variables {
    schedules = { all = "every night" }
  }
}
