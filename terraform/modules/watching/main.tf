resource "google_monitoring_notification_channel" "oncall" {
  display_name = "Chapterverse: on call"
  type         = "email"
  labels       = { email_address = var.oncall }
}

locals {
  of_api      = "resource.type=\"cloud_run_revision\" AND resource.labels.service_name=\"${var.watched.services.api}\""
  of_embedder = "resource.type=\"cloud_run_revision\" AND resource.labels.service_name=\"${var.watched.services.embedder}\""
  of_queue    = "resource.type=\"cloud_tasks_queue\" AND resource.labels.queue_id=\"${var.watched.queue}\""
  of_catalog  = "resource.type=\"cloudsql_database\" AND resource.labels.database_id=\"${var.place.project_id}:${var.watched.catalogue}\""
  user        = { for key, metric in google_logging_metric.this : key => "metric.type=\"logging.googleapis.com/user/${metric.name}\" AND resource.type=\"cloud_run_revision\"" }

  alerts = merge({
    slow             = { says = "Half of the essays' time (S1: 5 s) is gone for one request in twenty. See the dashboard: embedder, index or model?", filter = "${local.of_api} AND metric.type=\"run.googleapis.com/request_latencies\"", above = 5000, minutes = 10, aligner = "ALIGN_PERCENTILE_95", reducer = "REDUCE_MAX", threshold = "p95 of the api" }
    errors           = { says = "The api answers with errors of its own. Look at its log: severity ERROR names the place.", filter = "${local.of_api} AND metric.type=\"run.googleapis.com/request_count\" AND metric.labels.response_code_class=\"5xx\"", above = 0.1, minutes = 5, aligner = "ALIGN_RATE", reducer = "REDUCE_SUM", threshold = "answers of 5xx a second" }
    queue_waits      = { says = "Tasks of indexing wait for more than a quarter of an hour: is the embedder up, is its quota of GPUs used up?", filter = "${local.of_queue} AND metric.type=\"cloudtasks.googleapis.com/queue/task_attempt_delays\"", above = 15 * 60 * 1000, minutes = 15, aligner = "ALIGN_PERCENTILE_95", reducer = "REDUCE_MAX", threshold = "ms that a task waits" }
    queue_deep       = { says = "So many tasks wait that books uploaded now are ready in hours.", filter = "${local.of_queue} AND metric.type=\"cloudtasks.googleapis.com/queue/depth\"", above = 500, minutes = 30, aligner = "ALIGN_MEAN", reducer = "REDUCE_SUM", threshold = "tasks that wait" }
    tasks_given_up   = { says = "A book was given up after all attempts. The reason is on the book; its teacher has to upload it again.", filter = local.user["tasks_given_up"], above = 0, minutes = 0, aligner = "ALIGN_DELTA", reducer = "REDUCE_SUM", threshold = "tasks given up" }
    model_fails      = { says = "The language model does not answer, and feedback has only what is sure. Quota, key, region?", filter = local.user["model_failures"], above = 10, minutes = 10, aligner = "ALIGN_DELTA", reducer = "REDUCE_SUM", threshold = "essays without a model in five minutes" }
    answers_doubtful = { says = "Many questions are answered from what hardly bears on them (S2: mean below 0.4). Are the documents gone, or other ones wanted?", filter = local.user["answers_doubtful"], above = 20, minutes = 30, aligner = "ALIGN_DELTA", reducer = "REDUCE_SUM", threshold = "doubtful answers in five minutes" }
    catalog_full     = { says = "The catalog's disk is nearly at the size that it may grow to.", filter = "${local.of_catalog} AND metric.type=\"cloudsql.googleapis.com/database/disk/utilization\"", above = 0.85, minutes = 15, aligner = "ALIGN_MEAN", reducer = "REDUCE_MAX", threshold = "share of the disk" }
    }, var.domain == "" ? {} : {
    down = { says = "From outside, /ready does not answer 200: the api, the catalogue or the index is away. Its body says which.", filter = "metric.type=\"monitoring.googleapis.com/uptime_check/check_passed\" AND resource.type=\"uptime_url\" AND metric.labels.check_id=\"${google_monitoring_uptime_check_config.api[0].uptime_check_id}\"", above = 1, minutes = 5, aligner = "ALIGN_NEXT_OLDER", reducer = "REDUCE_COUNT_FALSE", threshold = "checks that fail" }
  })
}

resource "google_monitoring_alert_policy" "this" {
  for_each = local.alerts

  display_name          = "${var.place.prefix}: ${each.key}"
  combiner              = "OR"
  notification_channels = [google_monitoring_notification_channel.oncall.id]

  documentation {
    content   = "${each.value.says}\n\nWhat to do: docs/operations/incidents.md, “${each.key}”."
    mime_type = "text/markdown"
  }

  conditions {
    display_name = each.value.threshold

    condition_threshold {
      filter          = each.value.filter
      comparison      = "COMPARISON_GT"
      threshold_value = each.value.above
      duration        = "${60 * each.value.minutes}s"

      aggregations {
        alignment_period     = "300s"
        per_series_aligner   = each.value.aligner
        cross_series_reducer = each.value.reducer
      }
    }
  }

  alert_strategy {
    auto_close = "86400s"
  }

  depends_on = [time_sleep.metrics]
}

resource "google_monitoring_uptime_check_config" "api" {
  count = var.domain == "" ? 0 : 1

  display_name = "${var.place.prefix}: api, catalog and index answer"
  period       = "300s"
  timeout      = "10s"

  http_check {
    path         = "/ready"
    port         = 443
    use_ssl      = true
    validate_ssl = true
  }

  monitored_resource {
    type   = "uptime_url"
    labels = { project_id = var.place.project_id, host = var.domain }
  }
}

resource "google_monitoring_alert_policy" "spend" {
  count = var.day_ceiling > 0 ? 1 : 0

  display_name          = "${var.place.prefix}: spend"
  combiner              = "OR"
  notification_channels = [google_monitoring_notification_channel.oncall.id]

  documentation {
    content   = "The language model has cost four fifths of what all schools together may spend in a day; a school at its ceiling gets only what is sure without one.\n\nWhat to do: docs/operations/incidents.md, “spend”."
    mime_type = "text/markdown"
  }

  conditions {
    display_name = "spent in a day"

    condition_prometheus_query_language {
      query               = "${local.spent_in_a_day} > ${0.8 * var.day_ceiling}"
      duration            = "300s"
      evaluation_interval = "300s"
    }
  }

  alert_strategy {
    auto_close = "86400s"
  }

  depends_on = [time_sleep.metrics]
}

# In the currency of the billing account.
resource "google_billing_budget" "this" {
  count = var.budget.account == "" ? 0 : 1

  billing_account = var.budget.account
  display_name    = var.place.prefix

  budget_filter {
    projects = ["projects/${var.place.project_number}"]
  }

  amount {
    specified_amount {
      units = tostring(var.budget.amount)
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
    monitoring_notification_channels = [google_monitoring_notification_channel.oncall.id]
    disable_default_iam_recipients   = false
  }
}

# A metric of the log is known to alerts up to ten minutes after it was made; the catalogue takes as long.
resource "time_sleep" "metrics" {
  create_duration = "600s"

  depends_on = [google_logging_metric.this]
}
