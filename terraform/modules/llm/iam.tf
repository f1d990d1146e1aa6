resource "google_service_account" "this" {
  account_id   = var.account_id
  display_name = "Chapterverse: language model"
  description  = "May read its own key and nothing else."
}

resource "google_cloud_run_v2_service_iam_member" "invokes" {
  for_each = var.invokers

  name     = google_cloud_run_v2_service.this.name
  location = var.region
  role     = "roles/run.invoker"
  member   = each.value
}

resource "google_secret_manager_secret_iam_member" "reads_key" {
  secret_id = var.key.id
  role      = "roles/secretmanager.secretAccessor"
  member    = google_service_account.this.member
}
