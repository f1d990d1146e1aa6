variable "settings" {
  description = "Figures that the application is told and that the infrastructure is built for. Names and defaults are those of settings.py (a test compares)."
  type = object({
    batch_at_once       = optional(number, 8)
    batch_essay_seconds = optional(number, 300)
    batch_sentences     = optional(number, 512)
    embedder_dimensions = optional(number, 384)
    event_seconds       = optional(number, 21600)
    feedback_seconds    = optional(number, 5)
    llm_seconds         = optional(number, 2)
    max_book_bytes      = optional(number, 209715200)
    max_books           = optional(number, 20)
    max_open_requests   = optional(number, 64)
    memory_megabytes    = optional(number, 512)
    parse_megabytes     = optional(number, 2048)
    parse_seconds       = optional(number, 300)
    requests_per_minute = optional(number, 120)
    task_attempts       = optional(number, 50)
    task_seconds        = optional(number, 600)
  })
  nullable = false
  default  = {}

  validation {
    condition     = alltrue([for name, value in var.settings : value > 0])
    error_message = "Every one of the settings is above 0."
  }
  validation {
    condition     = var.settings.parse_seconds <= 360
    error_message = "parse_seconds is at most 360: a function that is called by an event ends after 540 seconds, and 180 of them are for keeping the book and adding its tasks."
  }
  validation {
    condition     = var.settings.task_seconds > var.settings.parse_seconds + 180
    error_message = "task_seconds has to be more than parse_seconds + 180: the function's time is shorter than a task's, which is shorter than the embedder's."
  }
  validation {
    condition     = var.settings.task_seconds <= 1800
    error_message = "task_seconds is at most 1800: Cloud Tasks waits for no answer longer than 30 minutes."
  }
  validation {
    condition     = var.settings.task_seconds > var.settings.batch_essay_seconds
    error_message = "task_seconds has to be more than batch_essay_seconds: an essay of a batch is a task."
  }
  validation {
    condition     = var.settings.task_attempts <= 100
    error_message = "task_attempts is at most 100: the queue delivers a task no more often, and only the application's own limit leaves a word on the book."
  }
  validation {
    condition     = var.settings.event_seconds < 86400
    error_message = "event_seconds is below 86400: after a day Eventarc gives an event up, and nobody would tell the teacher."
  }
  validation {
    condition     = var.settings.llm_seconds < var.settings.feedback_seconds
    error_message = "llm_seconds has to be below feedback_seconds: rules write what the model did not."
  }
}

variable "scale" {
  description = "For how many schools, and how many instances may run at once. These are the caps on cost: a budget only alerts."
  type = object({
    schools      = optional(number, 1)
    api_min      = optional(number, 0)
    api_max      = optional(number, 4)
    nightly_max  = optional(number, 2)
    ingest_max   = optional(number, 4)
    embedder_min = optional(number, 0)
    embedder_max = optional(number, 1)
    bulk_share   = optional(number, 0.5)
  })
  nullable = false
  default  = {}

  validation {
    condition     = var.scale.schools >= 1 && var.scale.api_max >= 1 && var.scale.ingest_max >= 1 && var.scale.nightly_max >= 1 && var.scale.embedder_max >= 1
    error_message = "There is at least one of each; to stop the embedder, pause the queue."
  }
  validation {
    condition     = var.scale.api_min <= var.scale.api_max && var.scale.embedder_min <= var.scale.embedder_max
    error_message = "A minimum of instances is not above its maximum."
  }
  validation {
    condition     = var.scale.bulk_share > 0 && var.scale.bulk_share <= 0.75
    error_message = "bulk_share is above 0 and at most 0.75: a quarter of the embedders' task slots stays free, so that work that is turned away comes back to a free one and students never wait for books."
  }
}
