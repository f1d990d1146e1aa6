resource "google_service_account" "this" {
  account_id   = var.account_id
  display_name = "Chapterverse: ${var.title}"
  description  = var.description
}
