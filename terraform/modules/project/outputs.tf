output "ready" {
  description = "Known once Google's own accounts may do what events need."
  value       = time_sleep.grants.id
}
