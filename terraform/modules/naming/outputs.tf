output "prefix" {
  description = "What the names of this deployment begin with."
  value       = local.prefix
}

output "labels" {
  description = "Labels of everything that can have some; bills are split by them."
  value       = { product = "chapterverse", environment = var.environment, managed-by = "terraform" }
}

output "services" {
  description = "Names of the Cloud Run services, functions among them, by what they do."
  value       = { for each in local.services : each => "${local.prefix}-${each}" }
}

output "urls" {
  description = "Their addresses, known before they exist (Cloud Run's deterministic form)."
  value       = { for each in local.services : each => "https://${local.prefix}-${each}-${var.project_number}.${var.region}.run.app" }
}

output "accounts" {
  description = "Account ids of the workloads."
  value       = { for each in local.accounts : each => "${local.prefix}-${each}" }
}

output "emails" {
  description = "E-mail addresses of those accounts."
  value       = { for each in local.accounts : each => "${local.prefix}-${each}@${var.project_id}.iam.gserviceaccount.com" }
}

output "buckets" {
  description = "Names of the buckets."
  value       = { for each in local.buckets : each => "${var.project_id}-${local.prefix}-${each}" }
}
