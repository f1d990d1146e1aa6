# An endpoint of Vertex AI that runs the embedding model.
resource "google_vertex_ai_endpoint" "this" {
  name         = var.endpoint.endpoint_id
  display_name = "${var.place.prefix}-embeddings"
  description  = "The embedding model as a managed endpoint: texts to vectors, for people and for books."
  location     = var.place.region
  region       = var.place.region
}

locals {
  path = "projects/${var.place.project_id}/locations/${var.place.region}/endpoints/${google_vertex_ai_endpoint.this.name}"
  machine = join(" ", concat(
    ["--machine-type=${var.endpoint.machine.type}", "--min-replica-count=${var.endpoint.machine.min_replicas}", "--max-replica-count=${var.endpoint.machine.max_replicas}"],
    var.endpoint.machine.accelerator == "" ? [] : ["--accelerator=type=${var.endpoint.machine.accelerator},count=1"],
  ))
}

resource "google_service_account" "this" {
  account_id   = "${var.place.prefix}-vertex"
  display_name = "Chapterverse: embedding model at a Vertex AI endpoint"
  description  = "Runs the model, and may do nothing else."
}

# One permission, not the nine hundred of roles/aiplatform.user.
resource "google_project_iam_custom_role" "asks" {
  role_id     = "${replace(var.place.prefix, "-", "_")}_asks"
  title       = "Chapterverse: asks the embedder's endpoint"
  permissions = ["aiplatform.endpoints.predict"]
}

resource "google_project_iam_member" "asks" {
  for_each = var.invokers

  project = var.place.project_id
  role    = google_project_iam_custom_role.asks.name
  member  = each.value
}
