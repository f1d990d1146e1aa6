resource "google_service_account" "this" {
  account_id   = var.account_id
  display_name = "Chapterverse: warmer"
  description  = "May change two services, for their minimum of instances; only Cloud Scheduler uses it."
}

# Two permissions, not the many of roles/run.developer; on the services only.
resource "google_project_iam_custom_role" "scales" {
  role_id     = "${replace(var.name, "-", "_")}_scales"
  title       = "Chapterverse: scales a service"
  permissions = ["run.services.get", "run.services.update"]
}

resource "google_cloud_run_v2_service_iam_member" "scales" {
  for_each = var.services

  name     = each.value.name
  location = var.region
  role     = "projects/${var.project_id}/roles/${google_project_iam_custom_role.scales.role_id}"
  member   = google_service_account.this.member
}

# Cloud Run asks for this of everybody who changes a service.
resource "google_service_account_iam_member" "acts" {
  for_each = var.services

  service_account_id = each.value.identity
  role               = "roles/iam.serviceAccountUser"
  member             = google_service_account.this.member
}
