output "channel" {
  description = "Who is told; the budget tells them, too."
  value       = google_monitoring_notification_channel.oncall.id
}

output "metrics" {
  description = "Figures made of the log, by what they count."
  value       = { for key, metric in google_logging_metric.this : key => metric.name }
}
