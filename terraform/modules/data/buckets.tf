resource "google_storage_bucket" "this" {
  for_each = local.buckets

  name                        = "${var.place.project_id}-${var.place.prefix}-${each.key}"
  location                    = var.place.region
  uniform_bucket_level_access = true
  public_access_prevention    = "enforced"
  force_destroy               = !var.protect

  versioning {
    enabled = each.value.versions
  }

  soft_delete_policy {
    retention_duration_seconds = var.protect && each.value.versions ? 7 * 86400 : 0 # what holds essays is gone at once
  }

  dynamic "cors" { # to the addresses that the api signs; it signs the type, too
    for_each = each.key == "uploads" ? [var.site] : []

    content {
      origin          = [cors.value]
      method          = ["PUT"]
      response_header = ["Content-Type", "x-goog-content-length-range"]
      max_age_seconds = 3600
    }
  }

  lifecycle_rule { # a month: what was replaced or deleted, and results
    action {
      type = "Delete"
    }
    condition {
      age                        = each.value.versions ? null : 30
      days_since_noncurrent_time = each.value.versions ? 30 : null
      with_state                 = each.value.versions ? "ARCHIVED" : null
    }
  }

  lifecycle_rule {
    action {
      type = "AbortIncompleteMultipartUpload"
    }
    condition {
      age = 1
    }
  }
}

locals {
  buckets = {
    uploads   = { versions = true } # so its events are "archived", not "deleted"
    artefacts = { versions = true }
    results   = { versions = false }
  }
}
