data "google_storage_project_service_account" "this" {}

# Cloud Storage tells Eventarc of new files by Pub/Sub, with its own account; there is no narrower place for this grant, because
# Eventarc makes the topic.
resource "google_project_iam_member" "publishes_events" {
  project = var.project_id
  role    = "roles/pubsub.publisher"
  member  = "serviceAccount:${data.google_storage_project_service_account.this.email_address}"
}
