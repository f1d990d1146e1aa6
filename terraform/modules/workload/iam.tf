resource "google_storage_bucket_iam_member" "uses" {
  for_each = var.buckets

  bucket = each.value.name
  role   = each.value.role
  member = google_service_account.this.member
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

resource "google_project_iam_member" "has" {
  for_each = var.project_roles

  project = var.project_id
  role    = each.value
  member  = google_service_account.this.member
}
