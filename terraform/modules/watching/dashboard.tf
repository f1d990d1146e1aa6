locals {
  # A log's figures in PromQL's names; only there can a distribution be summed. They may come from resources of many types: PromQL asks for one.
  logged = { for key, metric in google_logging_metric.this : key => "logging_googleapis_com:user_${replace(metric.name, "-", "_")}" }
  of_run = "{monitored_resource=\"cloud_run_revision\"}"

  spent_in_a_day = join(" + ", [for kind, price in var.prices : "sum(increase(${local.logged["feedback_${kind}_tokens"]}_sum${local.of_run}[1d])) * ${price} / 1000000"])

  unanswered = join(" / ", [
    "sum(increase(${local.logged["answers_without"]}${local.of_run}[1h]))",
    "sum(increase(${local.logged["answer_similarity"]}_count${local.of_run}[1h]))",
  ])

  charts = [
    { title = "Requests: p95 by route, ms", filter = local.user["request_ms"], aligner = "ALIGN_PERCENTILE_95", reducer = "REDUCE_MAX", by = ["metric.label.route"] },
    { title = "Requests by status, a second", filter = "${local.of_api} AND metric.type=\"run.googleapis.com/request_count\"", aligner = "ALIGN_RATE", reducer = "REDUCE_SUM", by = ["metric.label.response_code_class"] },
    { title = "Paragraphs of essays, an hour", promql = "sum(increase(${local.logged["feedback_paragraphs"]}_sum${local.of_run}[1h]))" },
    { title = "Language model: spent in a day", promql = local.spent_in_a_day },
    { title = "Essays that the language model failed, a second", filter = local.user["model_failures"], aligner = "ALIGN_RATE", reducer = "REDUCE_SUM", by = [] },
    { title = "Answers: similarity of what was found, median by application", filter = local.user["answer_similarity"], aligner = "ALIGN_PERCENTILE_50", reducer = "REDUCE_MEAN", by = ["metric.label.application"] },
    { title = "Questions that the sources do not answer, a second", filter = local.user["answers_without"], aligner = "ALIGN_RATE", reducer = "REDUCE_SUM", by = ["metric.label.application"] },
    { title = "Share of questions that the sources do not answer", promql = local.unanswered },
    { title = "Thumbs, a second", filter = local.user["answer_thumbs"], aligner = "ALIGN_RATE", reducer = "REDUCE_SUM", by = ["metric.label.thumb"] },
    { title = "Books, from upload to searched: p95, ms", filter = local.user["book_age_ms"], aligner = "ALIGN_PERCENTILE_95", reducer = "REDUCE_MAX", by = [] },
    { title = "Tasks that wait", filter = "${local.of_queue} AND metric.type=\"cloudtasks.googleapis.com/queue/depth\"", aligner = "ALIGN_MEAN", reducer = "REDUCE_SUM", by = [] },
    { title = "How long a task waits: p95, ms", filter = "${local.of_queue} AND metric.type=\"cloudtasks.googleapis.com/queue/task_attempt_delays\"", aligner = "ALIGN_PERCENTILE_95", reducer = "REDUCE_MAX", by = [] },
    { title = "Tasks given up, a second", filter = local.user["tasks_given_up"], aligner = "ALIGN_RATE", reducer = "REDUCE_SUM", by = ["metric.label.error"] },
    { title = "Files refused, a second", filter = local.user["files_refused"], aligner = "ALIGN_RATE", reducer = "REDUCE_SUM", by = ["metric.label.code"] },
    { title = "Texts that wait for the model, by lane", filter = "resource.type=\"prometheus_target\" AND metric.type=\"prometheus.googleapis.com/chapterverse_embedder_waiting_texts/gauge\"", aligner = "ALIGN_MEAN", reducer = "REDUCE_SUM", by = ["metric.label.lane"] },
    { title = "GPU in use", filter = "${local.of_embedder} AND metric.type=\"run.googleapis.com/container/gpu/utilizations\"", aligner = "ALIGN_PERCENTILE_50", reducer = "REDUCE_MEAN", by = [] },
    { title = "Instances", filter = "resource.type=\"cloud_run_revision\" AND metric.type=\"run.googleapis.com/container/instance_count\"", aligner = "ALIGN_MAX", reducer = "REDUCE_SUM", by = ["resource.label.service_name"] },
    { title = "Catalog: connections", filter = "${local.of_catalog} AND metric.type=\"cloudsql.googleapis.com/database/postgresql/num_backends\"", aligner = "ALIGN_MEAN", reducer = "REDUCE_SUM", by = [] },
  ]
}

resource "google_monitoring_dashboard" "this" {
  dashboard_json = jsonencode({
    displayName = "Chapterverse (${var.place.prefix})"
    mosaicLayout = {
      columns = 12
      tiles = [for number, chart in local.charts : {
        width  = 6
        height = 4
        xPos   = 6 * (number % 2)
        yPos   = 4 * floor(number / 2)
        widget = {
          title = chart.title
          xyChart = {
            dataSets = [{
              plotType = "LINE"
              timeSeriesQuery = try({ prometheusQuery = chart.promql }, {
                timeSeriesFilter = {
                  filter = chart.filter
                  aggregation = {
                    alignmentPeriod    = "300s"
                    perSeriesAligner   = chart.aligner
                    crossSeriesReducer = chart.reducer
                    groupByFields      = chart.by
                  }
                }
              })
            }]
          }
        }
      }]
    }
  })
}
