resource "google_service_account" "builder" {
  account_id   = var.builder_account_id
  display_name = "Chapterverse: builder"
  description  = "Builds the functions from their archive; has no other right."
}

resource "google_storage_bucket_iam_member" "builder_reads_source" {
  bucket = var.source_bucket
  role   = "roles/storage.objectViewer"
  member = google_service_account.builder.member
}

resource "google_artifact_registry_repository_iam_member" "builder_writes" {
  repository = google_artifact_registry_repository.this["functions"].name
  location   = var.region
  role       = "roles/artifactregistry.writer"
  member     = google_service_account.builder.member
}

resource "google_project_iam_member" "builder_logs" {
  project = var.project_id
  role    = "roles/logging.logWriter"
  member  = google_service_account.builder.member
}

resource "google_service_account" "deployer" {
  account_id   = var.deployer_account_id
  display_name = "Chapterverse: releases"
  description  = "Puts new images and archives in the place of old ones. What else has to change, an operator applies."
}

# No key: who runs on the main branch of that repository is this account.
resource "google_service_account_iam_member" "repository_is_deployer" {
  count = var.repository == "" ? 0 : 1

  service_account_id = google_service_account.deployer.name
  role               = "roles/iam.workloadIdentityUser"
  member             = "principalSet://iam.googleapis.com/${google_iam_workload_identity_pool.this[0].name}/attribute.repository/${var.repository}"
}

resource "google_artifact_registry_repository_iam_member" "deployer_writes_images" {
  repository = google_artifact_registry_repository.this["images"].name
  location   = var.region
  role       = "roles/artifactregistry.writer"
  member     = google_service_account.deployer.member
}

resource "google_storage_bucket_iam_member" "deployer_writes" {
  for_each = { source = var.source_bucket, state = var.state_bucket }

  bucket = each.value
  role   = "roles/storage.objectUser"
  member = google_service_account.deployer.member
}

# To plan, it sees everything; to release, it changes services and functions; it can grant nothing and delete no data.
resource "google_project_iam_member" "deployer" {
  for_each = toset([
    "roles/artifactregistry.reader",
    "roles/cloudfunctions.developer",
    "roles/cloudscheduler.viewer",
    "roles/cloudsql.viewer",
    "roles/cloudtasks.viewer",
    "roles/compute.viewer",
    "roles/dns.reader",
    "roles/iam.securityReviewer",
    "roles/logging.logWriter",
    "roles/logging.viewer",
    "roles/monitoring.viewer",
    "roles/run.developer",
    "roles/secretmanager.viewer",
    "roles/serviceusage.serviceUsageConsumer",
  ])

  project = var.project_id
  role    = each.key
  member  = google_service_account.deployer.member
}

# A revision runs as its workload's account, which who deploys it has to be allowed to name.
resource "google_service_account_iam_member" "deployer_names" {
  for_each = var.workloads

  service_account_id = each.value
  role               = "roles/iam.serviceAccountUser"
  member             = google_service_account.deployer.member
}
