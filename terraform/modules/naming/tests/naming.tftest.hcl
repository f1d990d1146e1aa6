variables {
  project_id     = "my-school"
  project_number = "123456789012"
  environment    = "prod"
  region         = "europe-west1"
}

run "a_service_has_an_address_before_it_exists" {
  command = plan

  assert {
    condition     = output.urls["embedder"] == "https://cv-prod-embedder-123456789012.europe-west1.run.app"
    error_message = "The address is not Cloud Run's deterministic one."
  }
  assert {
    condition     = alltrue([for url in values(output.urls) : length(split(".", trimprefix(url, "https://"))[0]) <= 63])
    error_message = "Cloud Run shortens a name of more than 63 characters, and the address would be another."
  }
}

run "names_fit_what_takes_them" {
  command = plan

  variables {
    project_id  = "a-school-with-thirty-letters-x"
    environment = "staging1"
  }

  assert {
    condition     = alltrue([for id in values(output.accounts) : length(id) >= 6 && length(id) <= 30])
    error_message = "A service account's id has 6 to 30 characters."
  }
  assert {
    condition     = alltrue([for name in values(output.buckets) : length(name) <= 63])
    error_message = "A bucket's name has at most 63 characters."
  }
  assert {
    condition     = length(distinct(values(output.buckets))) == length(output.buckets)
    error_message = "Two buckets have one name."
  }
}

run "an_environment_that_is_no_name_is_refused" {
  command         = plan
  expect_failures = [var.environment]

  variables {
    environment = "Production"
  }
}

run "a_project_that_is_no_name_is_refused" {
  command         = plan
  expect_failures = [var.project_id]

  variables {
    project_id = "My School"
  }
}
