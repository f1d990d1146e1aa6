output "name" {
  description = "Name of the function and of the service behind it."
  value       = module.function.name
}

output "member" {
  description = "The identity, for grants."
  value       = module.workload.member
}
