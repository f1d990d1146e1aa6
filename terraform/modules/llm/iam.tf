resource "google_service_account" "this" {
  account_id   = var.account_id
  display_name = "Chapterverse: language model"
  description  = "May read its own key and nothing else."
}

resource "google_secret_manager_secret_iam_member" "reads_key" {
  secret_id = var.key.id
  role      = "roles/secretmanager.secretAccessor"
  member    = google_service_account.this.member
}
