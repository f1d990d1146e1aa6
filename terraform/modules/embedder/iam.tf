module "workload" {
  source = "../workload"

  project_id  = var.project_id
  region      = var.region
  account_id  = var.account_id
  title       = "embedder"
  description = "Embeds texts, writes vectors and the index, reads scans."
  queue       = var.queue
  secrets     = var.secrets

  buckets = {
    uploads   = { name = var.buckets["uploads"], role = "roles/storage.objectViewer" }
    artefacts = { name = var.buckets["artefacts"], role = "roles/storage.objectUser" }
  }

  project_roles = var.metrics_image == "" ? {} : { writes_metrics = "roles/monitoring.metricWriter" } # figures have no narrower place
}

resource "google_cloud_run_v2_service_iam_member" "invokes" {
  for_each = var.invokers

  name     = google_cloud_run_v2_service.this.name
  location = var.region
  role     = "roles/run.invoker"
  member   = each.value
}
