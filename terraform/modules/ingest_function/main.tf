module "function" {
  source   = "../function"
  for_each = local.events

  project_id      = var.project_id
  name            = var.names[each.key]
  description     = each.value.description
  region          = var.region
  entry_point     = each.value.entry_point
  source_code     = var.source_code
  service_account = google_service_account.this.email
  environment     = merge(var.environment, { CHAPTERVERSE_HOME = "/tmp/chapterverse" })
  secrets         = var.secrets
  leaves_through  = var.leaves_through
  size            = var.size
  event           = { type = each.value.type, bucket = var.buckets["uploads"] }
  invokers        = { events = google_service_account.this.member }

  depends_on = [google_project_iam_member.receives_events, google_secret_manager_secret_iam_member.reads]
}

locals {
  events = {
    uploaded = {
      description = "A teacher's PDF was stored: reads it and parts its indexing into tasks."
      entry_point = "on_book_uploaded"
      type        = "google.cloud.storage.object.v1.finalized"
    }
    deleted = {
      description = "A PDF is gone, and so is its book."
      entry_point = "on_book_deleted"
      type        = "google.cloud.storage.object.v1.deleted"
    }
  }
}
