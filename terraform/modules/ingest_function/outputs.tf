output "names" {
  description = "Names of the functions, by the event."
  value       = { for event, function in module.function : event => function.name }
}

output "member" {
  description = "The identity, for grants."
  value       = module.workload.member
}
