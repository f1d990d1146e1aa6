module "function" {
  source   = "../function"
  for_each = local.events

  project_id      = var.project_id
  name            = var.names[each.key]
  description     = each.value.description
  region          = var.region
  entry_point     = each.value.entry_point
  source_code     = var.source_code
  service_account = module.workload.email
  environment     = merge(var.environment, { CHAPTERVERSE_HOME = "/tmp/chapterverse" })
  secrets         = var.secrets
  leaves_through  = var.leaves_through
  size            = var.size
  event           = { type = each.value.type, bucket = var.buckets["uploads"] }
  invokers        = { events = module.workload.member }

  depends_on = [module.workload] # its grants
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
      type        = "google.cloud.storage.object.v1.archived"
    }
  }
}
