output "name" {
  description = "Name of the function and of the job."
  value       = module.function.name
}

output "member" {
  description = "The identity that does the work, for grants."
  value       = module.workload.member
}
