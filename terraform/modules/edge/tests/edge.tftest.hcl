provider "google" {
  project = "my-school"
  region  = "europe-west1"
}

variables {
  name                = "cv-prod"
  region              = "europe-west1"
  service             = "cv-prod-api"
  domain              = "essays.my-school.example"
  requests_per_minute = 6000
}

run "plain_http_is_only_sent_on" {
  command = plan

  assert {
    condition     = google_compute_url_map.http.default_url_redirect[0].https_redirect && google_compute_url_map.http.default_service == null
    error_message = "An essay could be sent without encryption."
  }
  assert {
    condition     = google_compute_ssl_policy.this.min_tls_version == "TLS_1_2"
    error_message = "Old encryption is taken."
  }
}

run "too_many_requests_from_one_address_are_held_back" {
  command = plan

  assert {
    condition     = contains([for rule in google_compute_security_policy.this.rule : one(one(rule.rate_limit_options).rate_limit_threshold).count if rule.action == "throttle"], 6000)
    error_message = "There is no throttle."
  }
  assert {
    condition     = contains([for rule in google_compute_security_policy.this.rule : rule.priority], 2147483647)
    error_message = "There is no rule for everybody else."
  }
}

run "a_domain_with_https_before_it_is_refused" {
  command         = plan
  expect_failures = [var.domain]

  variables {
    domain = "https://essays.my-school.example"
  }
}
