output "labels" {
  description = "Labels for the provider's default_labels."
  value       = module.naming.labels
}

output "address" {
  description = "Where the api is reached."
  value       = local.site
}

output "sign_in_back" {
  description = "What a school's own sign-in is told to lead back to; NAME is that of `people oidc NAME`."
  value       = "${local.site}/sign-in/school/NAME/back"
}

output "a_record" {
  description = "What the domain's A record points at; null without a domain."
  value       = one(module.edge[*].address)
}

output "uploads" {
  description = "The bucket that teachers' PDFs arrive in."
  value       = module.storage.buckets["uploads"]
}

output "admin" {
  description = "The job that runs commands: gcloud run jobs execute NAME --args=…"
  value       = module.admin.name
}

output "images" {
  description = "Where the release pushes images."
  value       = "${var.region}-docker.pkg.dev/${var.project_id}/${module.delivery.images.name}"
}

output "deployer" {
  description = "The account that releases, and what a workflow names to become it."
  value       = { account = module.delivery.deployer, identity_provider = module.delivery.identity_provider }
}

output "figures" {
  description = "What settings and scale come to."
  value       = { settings = module.sizing.settings, scale = module.sizing.scale }

  precondition {
    condition     = length(setsubtract(keys(var.settings), keys(module.sizing.settings))) == 0 && length(setsubtract(keys(var.scale), keys(module.sizing.scale))) == 0
    error_message = "settings or scale has a name that module sizing does not know: ${join(", ", setsubtract(keys(merge(var.settings, var.scale)), keys(merge(module.sizing.settings, module.sizing.scale))))}."
  }
}

output "vertex_deploy" {
  description = "The commands that put the embedding model on the endpoint of Vertex AI; null without one."
  value       = one(module.vertex_endpoint[*].deploy)
}
