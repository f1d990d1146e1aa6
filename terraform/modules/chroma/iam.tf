resource "google_service_account" "this" {
  account_id   = local.name
  display_name = "Chapterverse: Chroma"
  description  = "The VM that holds the index: fetches its image, writes logs and metrics."
}

resource "google_artifact_registry_repository_iam_member" "fetches_image" {
  repository = var.repository
  location   = var.place.region
  role       = "roles/artifactregistry.reader"
  member     = google_service_account.this.member
}

# Logs and metrics have no narrower place than the project.
resource "google_project_iam_member" "writes" {
  for_each = toset(["roles/logging.logWriter", "roles/monitoring.metricWriter"])

  project = var.place.project_id
  role    = each.key
  member  = google_service_account.this.member
}
