resource "google_artifact_registry_repository" "this" {
  for_each = { images = "What is built and run by digest.", functions = "What Cloud Build makes of the functions' archive." }

  repository_id = "${var.prefix}-${each.key}"
  location      = var.region
  format        = "DOCKER"
  description   = each.value

  docker_config {
    immutable_tags = each.key == "images" # Cloud Build itself moves tags of functions
  }

  cleanup_policies {
    id     = "old"
    action = "DELETE"

    condition {
      older_than = "${90 * 86400}s"
    }
  }

  cleanup_policies {
    id     = "to-roll-back-to"
    action = "KEEP"

    most_recent_versions {
      keep_count = 10
    }
  }
}

# The hash is in the name: nothing is deployed when nothing has changed, and what was deployed before is still there.
resource "google_storage_bucket_object" "functions" {
  name   = "functions-${filesha256(var.archive)}.zip"
  bucket = var.source_bucket
  source = var.archive
}

resource "google_iam_workload_identity_pool" "this" {
  count = var.repository == "" ? 0 : 1

  workload_identity_pool_id = "${var.prefix}-ci"
  display_name              = "Chapterverse: releases"
}

resource "google_iam_workload_identity_pool_provider" "github" {
  count = var.repository == "" ? 0 : 1

  workload_identity_pool_id          = google_iam_workload_identity_pool.this[0].workload_identity_pool_id
  workload_identity_pool_provider_id = "github"
  display_name                       = "GitHub Actions"

  attribute_mapping = {
    "google.subject"       = "assertion.sub"
    "attribute.repository" = "assertion.repository"
  }

  # Without a condition any repository of anybody could ask for a token. The environment is GitHub's: who may release there, and
  # who has to agree, is said there.
  attribute_condition = "assertion.repository == '${var.repository}' && assertion.ref == 'refs/heads/main' && assertion.environment == '${var.environment}'"

  oidc {
    issuer_uri = "https://token.actions.githubusercontent.com"
  }
}
