resource "google_service_account" "this" {
  account_id   = var.account_id
  display_name = "Chapterverse: embedder"
  description  = "Embeds texts, writes vectors and the index."
}

resource "google_cloud_run_v2_service_iam_member" "invokes" {
  for_each = var.invokers

  name     = google_cloud_run_v2_service.this.name
  location = var.region
  role     = "roles/run.invoker"
  member   = each.value
}

resource "google_storage_bucket_iam_member" "writes_artefacts" {
  bucket = var.buckets["artefacts"]
  role   = "roles/storage.objectUser"
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

# Figures have no narrower place than the project.
resource "google_project_iam_member" "writes_metrics" {
  count = var.metrics_image == "" ? 0 : 1

  project = var.project_id
  role    = "roles/monitoring.metricWriter"
  member  = google_service_account.this.member
}
