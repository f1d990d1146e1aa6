output "deployment" {
  description = "Where everything is (module deployment)."
  value       = module.deployment
}
