output "buckets" {
  description = "Names of the buckets by what is in them."
  value       = { for key, bucket in google_storage_bucket.this : key => bucket.name }
}

output "publishes_events" {
  description = "The grant without which no event is sent; a function that is called by one depends on it."
  value       = google_project_iam_member.publishes_events.id
}
