provider "google" {
  project = "my-school"
  region  = "europe-west1"
}

variables {
  project_id = "my-school"
  region     = "europe-west1"
  protect    = true
  site       = "https://essays.my-school.example"
  names = {
    uploads   = "my-school-uploads"
    artefacts = "my-school-artefacts"
    results   = "my-school-results"
    source    = "my-school-source"
  }
}

run "no_bucket_is_public_or_can_become_so" {
  command = plan

  assert {
    condition = alltrue([for bucket in google_storage_bucket.this :
      bucket.public_access_prevention == "enforced" && bucket.uniform_bucket_level_access
    ])
    error_message = "A bucket can be opened to everybody."
  }
  assert {
    condition     = length(google_storage_bucket.this) == 4
    error_message = "Four buckets."
  }
}

run "what_teachers_and_parsers_made_can_be_brought_back" {
  command = plan

  assert {
    condition     = alltrue([for kind in ["uploads", "artefacts"] : google_storage_bucket.this[kind].versioning[0].enabled && !google_storage_bucket.this[kind].force_destroy])
    error_message = "A deleted book is gone at once."
  }
}

run "essays_do_not_stay" {
  command = plan

  assert {
    condition     = contains([for rule in google_storage_bucket.this["results"].lifecycle_rule : one(rule.condition).age], 30)
    error_message = "Results of nightly work hold essays and have to go."
  }
  assert {
    condition     = !google_storage_bucket.this["results"].versioning[0].enabled && google_storage_bucket.this["results"].soft_delete_policy[0].retention_duration_seconds == 0
    error_message = "Versions would keep essays that were deleted."
  }
}

run "essays_that_stay_for_years_are_refused" {
  command         = plan
  expect_failures = [var.keep_results_days]

  variables {
    keep_results_days = 3650
  }
}

run "only_our_pages_send_files_and_only_into_uploads" {
  command = plan

  assert {
    condition     = one(google_storage_bucket.this["uploads"].cors).origin == tolist(["https://essays.my-school.example"]) && one(google_storage_bucket.this["uploads"].cors).method == tolist(["PUT"])
    error_message = "Browsers cannot send files, or those of other sites can."
  }
  assert {
    condition     = alltrue([for kind, bucket in google_storage_bucket.this : length(bucket.cors) == 0 if kind != "uploads"])
    error_message = "Pages reach a bucket that they have no business with."
  }
}
