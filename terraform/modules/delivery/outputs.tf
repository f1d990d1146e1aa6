output "repository" {
  description = "Name of the repository of images."
  value       = google_artifact_registry_repository.images.name
}

output "deployer" {
  description = "The account that releases, its membership, and what the workflow names to become it; null without a repository."
  value = {
    account           = google_service_account.deployer.email
    member            = google_service_account.deployer.member
    identity_provider = one(google_iam_workload_identity_pool_provider.github[*].name)
  }
}
