provider "google" {
  project = "my-school"
  region  = "europe-west1"
}

variables {
  name             = "cv-prod-catalog"
  region           = "europe-west1"
  network          = "projects/my-school/global/networks/cv-prod"
  zone             = { name = "cv-prod", domain = "chapterverse.internal" }
  tier             = "db-custom-2-7680"
  max_connections  = 205
  password         = "a long random one, of the shell"
  password_version = 1
  protect          = true
  standby          = true
}

run "it_has_no_public_address_and_takes_no_plain_connection" {
  command = plan

  assert {
    condition     = google_sql_database_instance.this.settings[0].ip_configuration[0].ipv4_enabled == false
    error_message = "The catalog has a public address."
  }
  assert {
    condition     = google_sql_database_instance.this.settings[0].ip_configuration[0].ssl_mode == "ENCRYPTED_ONLY"
    error_message = "The catalog takes plain connections."
  }
}

run "a_protected_one_is_not_lost" {
  command = plan

  assert {
    condition     = google_sql_database_instance.this.deletion_protection && google_sql_database_instance.this.settings[0].deletion_protection_enabled
    error_message = "Terraform or the console may delete the catalog."
  }
  assert {
    condition     = google_sql_database_instance.this.settings[0].backup_configuration[0].point_in_time_recovery_enabled && google_sql_database_instance.this.settings[0].availability_type == "REGIONAL"
    error_message = "The catalog cannot be set back, or stands in one zone."
  }
}

run "the_password_is_in_no_plan" {
  command = plan

  assert {
    condition     = google_sql_user.this.password == null && google_sql_user.this.password_wo == null
    error_message = "The password is in the state."
  }
  assert {
    condition     = output.address == "postgresql+psycopg://chapterverse@catalog.chapterverse.internal/chapterverse?sslmode=require"
    error_message = "The address has a password or asks for no encryption."
  }
}

run "a_short_password_is_refused" {
  command         = plan
  expect_failures = [var.password]

  variables {
    password = "school"
  }
}

run "a_protected_one_that_is_stopped_is_refused" {
  command         = plan
  expect_failures = [var.running]

  variables {
    running = false
  }
}
