# What the application writes to its log, as figures. Fields and loggers are those of the code (a test compares).
locals {
  from_log = {
    request_ms             = { description = "Time of a request, by route.", logger = "chapterverse.web.bare", value = "total_ms", labels = { route = "EXTRACT(jsonPayload.message)", status = "EXTRACT(jsonPayload.status)" } }
    feedback_paragraphs    = { description = "Paragraphs of essays that got feedback.", logger = "chapterverse.essays.service", value = "paragraphs", labels = {} }
    feedback_prompt_tokens = { description = "Tokens of the language model: what it reads.", logger = "chapterverse.essays.service", value = "prompt_tokens", labels = {} }
    feedback_answer_tokens = { description = "Tokens of the language model: what it writes.", logger = "chapterverse.essays.service", value = "answer_tokens", labels = {} }
    book_age_ms            = { description = "Time of a book from its upload to its being searched.", logger = "chapterverse.library.versions", value = "age_ms", labels = {} }
    tasks_given_up         = { description = "Tasks that were given up; the reason is on the book.", logger = "chapterverse.library.intake", value = null, filter = "jsonPayload.message=\"task not done\"", labels = { error = "EXTRACT(jsonPayload.error)" } }
    files_refused          = { description = "Uploaded files that cannot become books.", logger = "chapterverse.functions", value = null, filter = "severity=WARNING", labels = { code = "EXTRACT(jsonPayload.code)" } }
    answer_similarity      = { description = "Mean cosine of what a question's answer was made from, by application.", logger = "chapterverse.questions.log", value = "mean", labels = { application = "EXTRACT(jsonPayload.application)", band = "EXTRACT(jsonPayload.band)" } }
    answer_thumbs          = { description = "Thumbs that answers were given, up and down.", logger = "chapterverse.questions.api", value = null, filter = "jsonPayload.message=\"answer rated\"", labels = { thumb = "EXTRACT(jsonPayload.thumb)" } }
    answers_without        = { description = "Questions that the sources do not answer, by application.", logger = "chapterverse.questions.log", value = null, filter = "jsonPayload.nothing=true", labels = { application = "EXTRACT(jsonPayload.application)" } }
    answers_doubtful       = { description = "Questions answered from what hardly bears on them: mean cosine below 0.4 (S2).", logger = "chapterverse.questions.log", value = null, filter = "severity=WARNING", labels = { application = "EXTRACT(jsonPayload.application)" } }
    model_failures         = { description = "Essays that the language model failed.", logger = "chapterverse.essays.service", value = null, filter = "jsonPayload.model_failures>0", labels = {} }
  }
}

resource "google_logging_metric" "this" {
  for_each = local.from_log

  name        = "${var.place.prefix}-${replace(each.key, "_", "-")}"
  description = each.value.description
  filter = join(" AND ", compact([
    "resource.type=\"cloud_run_revision\"",
    "resource.labels.location=\"${var.place.region}\"",
    "jsonPayload.logger=\"${each.value.logger}\"",
    each.value.value == null ? "" : "jsonPayload.${each.value.value}>=0",
    try(each.value.filter, ""),
  ]))
  value_extractor  = each.value.value == null ? null : "EXTRACT(jsonPayload.${each.value.value})"
  label_extractors = each.value.labels

  metric_descriptor {
    metric_kind = "DELTA"
    value_type  = each.value.value == null ? "INT64" : "DISTRIBUTION"
    unit        = endswith(each.key, "_ms") ? "ms" : "1"

    dynamic "labels" {
      for_each = each.value.labels

      content {
        key        = labels.key
        value_type = "STRING"
      }
    }
  }
}
