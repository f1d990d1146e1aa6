provider "google" {
  project = "my-school"
  region  = "europe-west1"
}

variables {
  name            = "cv-prod"
  billing_account = "0123AB-4567CD-89EF01"
  project_number  = "123456789012"
  amount          = 500
  channels        = ["projects/my-school/notificationChannels/1"]
}

run "somebody_is_told_before_it_is_too_late" {
  command = plan

  assert {
    condition     = contains([for rule in google_billing_budget.this.threshold_rules : rule.spend_basis], "FORECASTED_SPEND") && length(google_billing_budget.this.threshold_rules) == 3
    error_message = "Nobody is told of what is going to be spent."
  }
}

run "a_billing_account_that_is_none_is_refused" {
  command         = plan
  expect_failures = [var.billing_account]

  variables {
    billing_account = "mine"
  }
}
