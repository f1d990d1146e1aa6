resource "google_service_account" "this" {
  account_id   = "${var.place.prefix}-${var.name}"
  display_name = "Chapterverse: ${var.place.prefix}-${var.name}"
  description  = var.title
}

resource "google_storage_bucket_iam_member" "this" {
  for_each = var.grants.buckets

  bucket = each.key
  role   = "roles/storage.${each.value}"
  member = google_service_account.this.member
}

resource "google_project_iam_member" "this" {
  for_each = var.grants.project

  project = var.place.project_id
  role    = each.value
  member  = google_service_account.this.member
}

resource "google_cloud_tasks_queue_iam_member" "adds" {
  count = var.grants.queue == null ? 0 : 1

  name     = var.grants.queue.name
  location = var.place.region
  role     = "roles/cloudtasks.enqueuer"
  member   = google_service_account.this.member
}

# An account that adds a task names the identity that the task carries.
resource "google_service_account_iam_member" "names_tasks" {
  count = var.grants.queue == null ? 0 : 1

  service_account_id = var.grants.queue.account
  role               = "roles/iam.serviceAccountUser"
  member             = google_service_account.this.member
}

resource "google_secret_manager_secret_iam_member" "reads" {
  for_each = var.secrets

  secret_id = each.value.id
  role      = "roles/secretmanager.secretAccessor"
  member    = google_service_account.this.member
}

# It signs addresses in its own name, having no key.
resource "google_service_account_iam_member" "signs" {
  count = var.grants.signs ? 1 : 0

  service_account_id = google_service_account.this.name
  role               = "roles/iam.serviceAccountTokenCreator"
  member             = google_service_account.this.member
}

resource "google_service_account_iam_member" "released" {
  for_each = var.grants.acted_by

  service_account_id = google_service_account.this.name
  role               = "roles/iam.serviceAccountUser"
  member             = each.value
}

resource "google_cloud_run_v2_service_iam_member" "invokes" {
  for_each = var.job ? {} : var.grants.invoked_by

  name     = google_cloud_run_v2_service.this[0].name
  location = var.place.region
  role     = "roles/run.invoker"
  member   = each.value
}
