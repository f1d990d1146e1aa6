provider "google" {
  project = "my-school"
  region  = "europe-west1"
}

variables {
  project_id = "my-school"
  prefix     = "cv-prod"
  region     = "europe-west1"
  oncall     = "oncall@my-school.example"
  domain     = "essays.my-school.example"
  services   = { api = "cv-prod-api", embedder = "cv-prod-embedder" }
  queue      = "cv-prod-index"
  catalog    = "cv-prod-catalog"
}

run "every_alert_says_what_to_do_and_reaches_somebody" {
  command = plan

  assert {
    condition     = alltrue([for alert in google_monitoring_alert_policy.this : length(alert.documentation[0].content) > 40])
    error_message = "An alert says nothing."
  }
  assert {
    condition     = google_monitoring_notification_channel.oncall.labels["email_address"] == "oncall@my-school.example"
    error_message = "Nobody is told."
  }
}

run "spending_is_told_before_it_ends_at_the_ceiling" {
  command = plan

  variables {
    day_ceiling = 15
  }

  assert {
    condition     = endswith(google_monitoring_alert_policy.spend[0].conditions[0].condition_prometheus_query_language[0].query, " > 12")
    error_message = "It is told when nothing can be spent any more, or long before."
  }
}

run "what_costs_nothing_has_no_alert" {
  command = plan

  assert {
    condition     = length(google_monitoring_alert_policy.spend) == 0
    error_message = "Rules cost nothing."
  }
}

run "the_objective_is_s1s_five_seconds" {
  command = plan

  assert {
    condition     = google_monitoring_slo.this["in_time"].basic_sli[0].latency[0].threshold == "5s"
    error_message = "Another time than S1's."
  }
}

run "what_sleeps_is_not_woken_by_checks" {
  command = plan

  variables {
    domain = ""
  }

  assert {
    condition     = length(google_monitoring_uptime_check_config.api) == 0
    error_message = "A check every five minutes keeps the api awake."
  }
}

run "an_address_that_is_none_is_refused" {
  command         = plan
  expect_failures = [var.oncall]

  variables {
    oncall = "somebody"
  }
}
