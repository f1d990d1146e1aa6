output "jobs" {
  description = "Schedule and instances of each job, by its name."
  value       = { for name, job in local.jobs : name => { schedule = job.schedule, instances = job.instances } }
}
