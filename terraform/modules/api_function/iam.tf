resource "google_service_account" "this" {
  account_id   = var.account_id
  display_name = "Chapterverse: api"
  description  = "Answers students and teachers."
}

resource "google_storage_bucket_iam_member" "uploads" {
  for_each = toset(["roles/storage.objectViewer", "roles/storage.objectCreator"]) # sees files; signs addresses to send them to

  bucket = var.buckets["uploads"]
  role   = each.key
  member = google_service_account.this.member
}

resource "google_storage_bucket_iam_member" "writes" {
  for_each = toset(["artefacts", "results"]) # corrections; batches of essays

  bucket = var.buckets[each.key]
  role   = "roles/storage.objectUser"
  member = google_service_account.this.member
}

# It signs addresses in its own name, having no key.
resource "google_service_account_iam_member" "signs" {
  service_account_id = google_service_account.this.name
  role               = "roles/iam.serviceAccountTokenCreator"
  member             = google_service_account.this.member
}

# A role of one permission instead of aiplatform.user; Google's own models have no narrower place than the project.
resource "google_project_iam_member" "asks_gemini" {
  count = var.gemini_role == null ? 0 : 1

  project = var.project_id
  role    = var.gemini_role
  member  = google_service_account.this.member
}

resource "google_cloud_tasks_queue_iam_member" "adds_tasks" {
  name     = var.queue.name
  location = var.region
  role     = "roles/cloudtasks.enqueuer"
  member   = google_service_account.this.member
}

# Who adds a task names the identity that goes with it.
resource "google_service_account_iam_member" "names_tasks_account" {
  service_account_id = var.queue.account.name
  role               = "roles/iam.serviceAccountUser"
  member             = google_service_account.this.member
}

resource "google_secret_manager_secret_iam_member" "reads" {
  for_each = var.secrets

  secret_id = each.value.id
  role      = "roles/secretmanager.secretAccessor"
  member    = google_service_account.this.member
}
