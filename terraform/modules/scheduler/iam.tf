resource "google_service_account" "clock" {
  account_id   = var.clock_account_id
  display_name = "Chapterverse: clock"
  description  = "May begin the nightly work and nothing else."
}

module "workload" {
  source = "../workload"

  project_id  = var.project_id
  region      = var.region
  account_id  = var.account_id
  title       = "nightly"
  description = "Does overnight what nobody waits for."
  queue       = var.queue
  secrets     = var.secrets

  buckets = {
    artefacts = { name = var.buckets["artefacts"], role = "roles/storage.objectViewer" }
    results   = { name = var.buckets["results"], role = "roles/storage.objectUser" }
  }

  # A role of one permission instead of aiplatform.user; Google's own models have no narrower place than the project.
  project_roles = var.gemini_role == null ? {} : { asks_gemini = var.gemini_role }
}
