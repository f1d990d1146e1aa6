provider "google" {
  project = "my-school"
  region  = "europe-west1"
}

variables {
  project_id    = "my-school"
  region        = "europe-west1"
  account_id    = "cv-prod-ingest"
  title         = "ingest"
  description   = "Takes in teachers' PDFs."
  buckets       = { uploads = { name = "my-school-uploads", role = "roles/storage.objectViewer" } }
  secrets       = { PGPASSWORD = { id = "projects/my-school/secrets/cv-prod-catalog-password", secret = "cv-prod-catalog-password", version = "1" } }
  project_roles = { events = "roles/eventarc.eventReceiver" }
  queue = {
    name = "cv-prod-index"
    account = {
      name   = "projects/my-school/serviceAccounts/cv-prod-tasks@my-school.iam.gserviceaccount.com"
      email  = "cv-prod-tasks@my-school.iam.gserviceaccount.com"
      member = "serviceAccount:cv-prod-tasks@my-school.iam.gserviceaccount.com"
    }
  }
}

run "it_has_what_it_is_granted_and_no_more" {
  command = plan

  assert {
    condition     = google_storage_bucket_iam_member.uses["uploads"].role == "roles/storage.objectViewer" && length(google_project_iam_member.has) == 1
    error_message = "It has another role."
  }
  assert {
    condition     = google_cloud_tasks_queue_iam_member.adds_tasks.role == "roles/cloudtasks.enqueuer"
    error_message = "It may do more to the queue than add tasks."
  }
}

run "who_administers_a_bucket_is_refused" {
  command         = plan
  expect_failures = [var.buckets]

  variables {
    buckets = { uploads = { name = "my-school-uploads", role = "roles/storage.admin" } }
  }
}

run "a_primitive_role_is_refused" {
  command         = plan
  expect_failures = [var.project_roles]

  variables {
    project_roles = { everything = "roles/editor" }
  }
}
