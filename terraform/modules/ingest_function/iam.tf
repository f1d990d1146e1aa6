module "workload" {
  source = "../workload"

  project_id  = var.project_id
  region      = var.region
  account_id  = var.account_id
  title       = "ingest"
  description = "Takes in teachers' PDFs."
  queue       = var.queue
  secrets     = var.secrets

  buckets = {
    uploads   = { name = var.buckets["uploads"], role = "roles/storage.objectViewer" }
    artefacts = { name = var.buckets["artefacts"], role = "roles/storage.objectUser" }
  }

  project_roles = { events = "roles/eventarc.eventReceiver" } # Eventarc has no narrower place
}
