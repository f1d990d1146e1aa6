output "name" {
  description = "The budget's name."
  value       = google_billing_budget.this.display_name
}
