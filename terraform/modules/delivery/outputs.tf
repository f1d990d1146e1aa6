output "images" {
  description = "The repository of images: name and location."
  value       = { name = google_artifact_registry_repository.this["images"].name, location = var.region }
}

output "source_code" {
  description = "What a function is built from, by whom, and where the result is kept."
  value = {
    bucket     = google_storage_bucket_object.functions.bucket
    object     = google_storage_bucket_object.functions.name
    builder    = google_service_account.builder.id
    repository = google_artifact_registry_repository.this["functions"].id
  }
  depends_on = [
    google_storage_bucket_iam_member.builder_reads_source,
    google_artifact_registry_repository_iam_member.builder_writes,
    google_project_iam_member.builder_logs,
  ]
}

output "deployer" {
  description = "The account that releases."
  value       = google_service_account.deployer.email
}

output "identity_provider" {
  description = "What the workflow names to become that account; null without a repository."
  value       = one(google_iam_workload_identity_pool_provider.github[*].name)
}
