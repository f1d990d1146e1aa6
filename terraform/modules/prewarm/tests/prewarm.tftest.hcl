provider "google" {
  project = "my-school"
  region  = "europe-west1"
}

variables {
  project_id = "my-school"
  region     = "europe-west1"
  name       = "cv-small-warm"
  account_id = "cv-small-warmer"
  time_zone  = "Europe/Berlin"
  from       = ["25 9 * * 1-5", "10 11 * * 1-5"]
  until      = ["40 9 * * 1-5", "25 11 * * 1-5"]
  services = {
    embedder = {
      name      = "cv-small-embedder"
      identity  = "projects/my-school/serviceAccounts/cv-small-embedder@my-school.iam.gserviceaccount.com"
      instances = 2
    }
  }
}

run "instances_come_before_a_bell_and_go_after_it" {
  command = plan

  assert {
    condition     = base64decode(google_cloud_scheduler_job.this["embedder-up-1"].http_target[0].body) == "{\"scaling\":{\"minInstanceCount\":2}}"
    error_message = "Nothing would be ready at the second bell."
  }
  assert {
    condition     = base64decode(google_cloud_scheduler_job.this["embedder-down-1"].http_target[0].body) == "{\"scaling\":{\"minInstanceCount\":0}}"
    error_message = "What stands ready would be paid for all night."
  }
  assert {
    condition     = length(google_cloud_scheduler_job.this) == 4
    error_message = "There are more or fewer jobs than bells."
  }
}

run "it_changes_the_minimum_and_nothing_else" {
  command = plan

  assert {
    condition     = endswith(google_cloud_scheduler_job.this["embedder-up-0"].http_target[0].uri, "/services/cv-small-embedder?updateMask=scaling.minInstanceCount")
    error_message = "It would change more of the service."
  }
  assert {
    condition     = google_project_iam_custom_role.scales.permissions == toset(["run.services.get", "run.services.update"])
    error_message = "It may do more."
  }
}

run "what_is_never_taken_away_is_refused" {
  command         = plan
  expect_failures = [var.until]

  variables {
    until = []
  }
}

run "a_schedule_that_is_none_is_refused" {
  command         = plan
  expect_failures = [var.from]

  variables {
    from = ["at the bell"]
  }
}
