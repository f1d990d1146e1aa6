resource "google_project_service" "this" {
  for_each = var.services

  service            = each.key
  disable_on_destroy = false # others in the project may use it, too
}
