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

  dynamic "lifecycle_rule" {
    for_each = each.value.versions ? [1] : []

    content {
      action {
        type = "Delete"
      }
      condition {
        days_since_noncurrent_time = 30
        with_state                 = "ARCHIVED"
      }
    }
  }

  dynamic "lifecycle_rule" {
    for_each = each.value.delete_after_days[*]

    content {
      action {
        type = "Delete"
      }
      condition {
        age = lifecycle_rule.value
      }
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
    uploads   = { versions = true, delete_after_days = null } # so its events are "archived", not "deleted"
    artefacts = { versions = true, delete_after_days = null }
    results   = { versions = false, delete_after_days = 30 }
  }
}
