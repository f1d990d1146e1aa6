resource "google_service_account" "this" {
  account_id   = var.account_id
  display_name = "Chapterverse: embedding model at a Vertex AI endpoint"
  description  = "Runs the model, and may do nothing else."
}

# One permission, not the nine hundred of roles/aiplatform.user.
resource "google_project_iam_custom_role" "asks" {
  role_id     = "${replace(var.name, "-", "_")}_asks"
  title       = "Chapterverse: asks the embedder's endpoint"
  permissions = ["aiplatform.endpoints.predict"]
}

resource "google_project_iam_member" "asks" {
  for_each = var.invokers

  project = var.project_id
  role    = google_project_iam_custom_role.asks.name
  member  = each.value
}
