resource "google_service_account" "clock" {
  account_id   = var.clock_account_id
  display_name = "Chapterverse: clock"
  description  = "May start the nightly work and nothing else."
}

resource "google_service_account" "nightly" {
  account_id   = var.account_id
  display_name = "Chapterverse: nightly"
  description  = "Does overnight what nobody waits for."
}

resource "google_storage_bucket_iam_member" "uses" {
  for_each = toset(["artefacts", "results"])

  bucket = var.buckets[each.key]
  role   = "roles/storage.objectUser"
  member = google_service_account.nightly.member
}

resource "google_project_iam_member" "asks_gemini" {
  count = var.gemini_role == null ? 0 : 1

  project = var.project_id
  role    = var.gemini_role
  member  = google_service_account.nightly.member
}

resource "google_cloud_tasks_queue_iam_member" "adds_tasks" {
  name     = var.queue.name
  location = var.region
  role     = "roles/cloudtasks.enqueuer"
  member   = google_service_account.nightly.member
}

# Who adds a task names the identity that goes with it.
resource "google_service_account_iam_member" "names_tasks_account" {
  service_account_id = var.queue.account.name
  role               = "roles/iam.serviceAccountUser"
  member             = google_service_account.nightly.member
}

resource "google_secret_manager_secret_iam_member" "reads" {
  for_each = var.secrets

  secret_id = each.value.id
  role      = "roles/secretmanager.secretAccessor"
  member    = google_service_account.nightly.member
}
