provider "google" {
  project = "my-school"
  region  = "europe-west1"
}

variables {

}

run "they_stay_on_when_this_goes" {
  command = plan

  assert {
    condition     = alltrue([for service in google_project_service.this : service.disable_on_destroy == false])
    error_message = "Destroying this deployment would switch off what others use."
  }
}

run "a_service_that_is_not_named_in_full_is_refused" {
  command         = plan
  expect_failures = [var.services]

  variables {
    services = ["run"]
  }
}
