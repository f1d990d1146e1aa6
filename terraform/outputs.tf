output "address" {
  description = "Where the api is reached."
  value       = local.site
}

output "sign_in_back" {
  description = "What a school's own sign-in is told to lead back to; NAME is the short name under Setup."
  value       = "${local.site}/sign-in/school/NAME/back"
}

output "a_record" {
  description = "What the domain's A record points at; null without a domain."
  value       = one(module.edge[*].address)
}

output "buckets" {
  description = "Names of the buckets by what is in them."
  value       = module.data.buckets
}

output "admin" {
  description = "The job that runs commands: gcloud run jobs execute NAME --args=…"
  value       = module.service["admin"].name
}

output "release" {
  description = "What the workflow of a release is told: account, identity provider, images."
  value = {
    account           = module.delivery.deployer.account
    identity_provider = module.delivery.deployer.identity_provider
    images            = "${var.region}-docker.pkg.dev/${var.project_id}/${local.prefix}-images"
  }
}

output "vertex_deploy" {
  description = "The commands that put the embedding model on the endpoint of Vertex AI; null without one."
  value       = one(module.gpu[*].deploy)
}

output "connections" {
  description = "Connections that all instances may open together."
  value       = local.connections

  precondition {
    condition     = local.connections <= local.connections_that_hold
    error_message = "The catalogue's machine holds ${local.connections_that_hold} connections, and all instances may open ${local.connections}: take a larger tier, or lower scale.*_max."
  }
  precondition {
    condition     = var.index != "chroma" || length(local.large_enough) > 0
    error_message = "One VM does not hold the index of so many schools in memory: set index to pgvector, or make a second deployment."
  }
  precondition {
    condition     = local.sizes.embedder.timeout_seconds > local.application.receive_seconds && local.sizes.embedder.timeout_seconds <= 3600
    error_message = "The queue stops waiting before the embedder stops working."
  }
}
