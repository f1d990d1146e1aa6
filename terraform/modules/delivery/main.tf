# Where images are kept, and how the main branch releases without a key.
resource "google_artifact_registry_repository" "images" {
  repository_id = "${var.place.prefix}-images"
  location      = var.place.region
  format        = "DOCKER"
  description   = "What is built, scanned, signed, and run by digest."

  docker_config {
    immutable_tags = true
  }

  cleanup_policies {
    id     = "old"
    action = "DELETE"

    condition {
      older_than            = "${90 * 86400}s"
      package_name_prefixes = ["app", "gpu"] # of the others, what runs may be older: a person puts a new one there
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

resource "google_iam_workload_identity_pool" "this" {
  count = var.repository == "" ? 0 : 1

  workload_identity_pool_id = "${var.place.prefix}-ci"
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

  # Without a condition any repository of anybody could ask for a token. The environment is GitHub's: it says who may release.
  attribute_condition = "assertion.repository == '${var.repository}' && assertion.ref == 'refs/heads/main' && assertion.environment == '${trimprefix(var.place.prefix, "cv-")}'"

  oidc {
    issuer_uri = "https://token.actions.githubusercontent.com"
  }
}

resource "google_service_account" "deployer" {
  account_id   = "${var.place.prefix}-deployer"
  display_name = "Chapterverse: releases"
  description  = "Puts new images into services and the job. All else is applied by a person."
}

# No key: a workflow on the main branch of that repository is this account.
resource "google_service_account_iam_member" "repository_is_deployer" {
  count = var.repository == "" ? 0 : 1

  service_account_id = google_service_account.deployer.name
  role               = "roles/iam.workloadIdentityUser"
  member             = "principalSet://iam.googleapis.com/${google_iam_workload_identity_pool.this[0].name}/attribute.repository/${var.repository}"
}

resource "google_artifact_registry_repository_iam_member" "deployer_writes_images" {
  repository = google_artifact_registry_repository.images.name
  location   = var.place.region
  role       = "roles/artifactregistry.writer"
  member     = google_service_account.deployer.member
}

# It changes services and jobs; it grants nothing, sees no secret and deletes no data. In whose name they run, module service says.
resource "google_project_iam_member" "deployer" {
  project = var.place.project_id
  role    = "roles/run.developer"
  member  = google_service_account.deployer.member
}
