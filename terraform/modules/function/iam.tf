# A function of the second generation is a service of Cloud Run, and who may call it is said there.
resource "google_cloud_run_v2_service_iam_member" "invokes" {
  for_each = var.invokers

  name     = google_cloudfunctions2_function.this.name
  location = var.region
  role     = "roles/run.invoker"
  member   = each.value
}
