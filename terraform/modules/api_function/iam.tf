module "workload" {
  source = "../workload"

  project_id  = var.project_id
  region      = var.region
  account_id  = var.account_id
  title       = "api"
  description = "Answers students and teachers."
  queue       = var.queue
  secrets     = var.secrets

  buckets = {
    uploads   = { name = var.buckets["uploads"], role = "roles/storage.objectUser" }   # its addresses let others send files there; a book goes with its file
    artefacts = { name = var.buckets["artefacts"], role = "roles/storage.objectUser" } # corrections
    results   = { name = var.buckets["results"], role = "roles/storage.objectUser" }   # batches of essays
  }

  # A role of one permission instead of aiplatform.user; Google's own models have no narrower place than the project.
  project_roles = var.gemini_role == null ? {} : { asks_gemini = var.gemini_role }
}

# It signs addresses in its own name, having no key.
resource "google_service_account_iam_member" "signs" {
  service_account_id = module.workload.name
  role               = "roles/iam.serviceAccountTokenCreator"
  member             = module.workload.member
}
