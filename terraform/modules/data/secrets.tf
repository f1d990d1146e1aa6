resource "google_secret_manager_secret" "this" {
  for_each = toset(["catalog-password", "mail-server", "lti-keys", "llm-key"])

  secret_id           = "${var.place.prefix}-${each.key}"
  deletion_protection = var.protect

  replication {
    user_managed { # in our region only, not wherever Google likes
      replicas {
        location = var.place.region
      }
    }
  }
}

# Handed over as a write-only argument: it is in no state and no plan. The others get their versions by gcloud.
resource "google_secret_manager_secret_version" "password" {
  secret                 = google_secret_manager_secret.this["catalog-password"].id
  secret_data_wo         = var.password
  secret_data_wo_version = var.catalogue.password_version
  deletion_policy        = "DISABLE" # the version before can be switched on again
}
