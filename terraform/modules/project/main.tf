# What a fresh project needs before anything else: interfaces switched on, and Google's own accounts with their grants.
resource "google_project_service" "this" {
  for_each = toset([for name in concat(local.services, var.more) : "${name}.googleapis.com"])

  service            = each.key
  disable_on_destroy = false # others in the project may use it, too
}

data "google_storage_project_service_account" "this" {
  depends_on = [google_project_service.this]
}

# Cloud Storage tells Eventarc of files by Pub/Sub, with its own account; Eventarc makes the topic, so there is no narrower place.
resource "google_project_iam_member" "publishes_events" {
  project = var.place.project_id
  role    = "roles/pubsub.publisher"
  member  = "serviceAccount:${data.google_storage_project_service_account.this.email_address}"
}

# Eventarc's account is made by `gcloud beta services identity create` (docs/first-deployment.md); its first grant may be late.
resource "google_project_iam_member" "eventarc" {
  project = var.place.project_id
  role    = "roles/eventarc.serviceAgent"
  member  = "serviceAccount:service-${var.place.project_number}@gcp-sa-eventarc.iam.gserviceaccount.com"

  depends_on = [google_project_service.this]
}

# Grants are known everywhere after two minutes, in general (https://docs.cloud.google.com/iam/docs/access-change-propagation).
resource "time_sleep" "grants" {
  create_duration = "150s"

  depends_on = [google_project_iam_member.publishes_events, google_project_iam_member.eventarc]
}

locals {
  services = [
    "artifactregistry", "cloudresourcemanager", "cloudscheduler", "cloudtasks", "compute", "dns", "eventarc", "iam", "iamcredentials",
    "logging", "monitoring", "pubsub", "run", "secretmanager", "servicenetworking", "sqladmin", "storage", "sts",
  ]
}
