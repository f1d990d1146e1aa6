output "deployment" {
  description = "Where everything is (module deployment)."
  value       = module.deployment
}

output "vertex_deploy" {
  description = "The commands that put the embedding model on the endpoint of Vertex AI; null without one."
  value       = module.deployment.vertex_deploy
}
