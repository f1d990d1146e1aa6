output "metrics" {
  description = "Metrics made of the log, by what they count."
  value       = { for key, metric in google_logging_metric.this : key => metric.name }
}
