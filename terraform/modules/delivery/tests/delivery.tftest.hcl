provider "google" {
  project = "my-school"
  region  = "europe-west1"
}

variables {
  project_id          = "my-school"
  prefix              = "cv-prod"
  environment         = "prod"
  region              = "europe-west1"
  archive             = "README.md" # any file will do here
  source_bucket       = "my-school-source"
  state_bucket        = "my-school-terraform"
  builder_account_id  = "cv-prod-builder"
  deployer_account_id = "cv-prod-deployer"
  repository          = "my-school/chapterverse"
  workloads           = { api = "projects/my-school/serviceAccounts/cv-prod-api@my-school.iam.gserviceaccount.com" }
}

run "the_archive_is_named_after_what_is_in_it" {
  command = plan

  assert {
    condition     = google_storage_bucket_object.functions.name == "functions-${filesha256(var.archive)}.zip"
    error_message = "The same archive would be deployed twice, or a new one not at all."
  }
}

run "only_the_main_branch_of_our_repository_releases" {
  command = plan

  assert {
    condition     = google_iam_workload_identity_pool_provider.github[0].attribute_condition == "assertion.repository == 'my-school/chapterverse' && assertion.ref == 'refs/heads/main' && assertion.environment == 'prod'"
    error_message = "Others could release."
  }
}

run "without_a_repository_there_is_no_door" {
  command = plan

  variables {
    repository = ""
  }

  assert {
    condition     = length(google_iam_workload_identity_pool.this) == 0 && length(google_service_account_iam_member.repository_is_deployer) == 0
    error_message = "There is a door that nobody asked for."
  }
}

run "who_releases_grants_nothing_and_deletes_no_data" {
  command = plan

  assert {
    condition     = alltrue([for role in keys(google_project_iam_member.deployer) : !can(regex("(?i)admin|owner|roles/editor$", role))])
    error_message = "A release could grant itself more."
  }
}

run "an_archive_that_is_not_there_is_refused" {
  command         = plan
  expect_failures = [var.archive]

  variables {
    archive = "nowhere.zip"
  }
}
