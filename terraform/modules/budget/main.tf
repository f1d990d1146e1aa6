resource "google_billing_budget" "this" {
  billing_account = var.billing_account
  display_name    = var.name

  budget_filter {
    projects = ["projects/${var.project_number}"]
  }

  amount {
    specified_amount {
      currency_code = var.currency
      units         = tostring(var.amount)
    }
  }

  dynamic "threshold_rules" {
    for_each = { "0.5" = "CURRENT_SPEND", "0.9" = "CURRENT_SPEND", "1.0" = "FORECASTED_SPEND" }

    content {
      threshold_percent = tonumber(threshold_rules.key)
      spend_basis       = threshold_rules.value
    }
  }

  all_updates_rule {
    monitoring_notification_channels = var.channels
    disable_default_iam_recipients   = false
  }
}
