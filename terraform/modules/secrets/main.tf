resource "google_secret_manager_secret" "this" {
  for_each = var.names

  secret_id           = "${var.prefix}-${each.key}"
  deletion_protection = var.protect

  replication {
    user_managed { # in our region only, not wherever Google likes
      replicas {
        location = var.region
      }
    }
  }
}

# Handed over as write-only arguments: they are in no state and no plan.
resource "google_secret_manager_secret_version" "this" {
  for_each = var.versions

  secret                 = google_secret_manager_secret.this[each.key].id
  secret_data_wo         = var.values[each.key]
  secret_data_wo_version = each.value
  deletion_policy        = "DISABLE" # the version before can be switched on again
}
