module "workload" {
  source = "../workload"

  project_id  = var.project_id
  region      = var.region
  account_id  = var.account_id
  title       = "admin"
  description = "Does what an operator asks for: keys, indexes, a school that leaves."
  queue       = var.queue
  secrets     = var.secrets

  # All that a school has is removed when it leaves, so objects of all three are deleted.
  buckets = { for each in ["uploads", "artefacts", "results"] : each => { name = var.buckets[each], role = "roles/storage.objectUser" } }
}

# An execution names a command of its own: that is what "with overrides" is.
resource "google_cloud_run_v2_job_iam_member" "runs" {
  for_each = toset(var.operators)

  name     = google_cloud_run_v2_job.this.name
  location = var.region
  role     = "roles/run.jobsExecutorWithOverrides"
  member   = each.value
}
