variable "settings" {
  description = "Figures that the application is told and that the infrastructure is built for. Names and defaults are those of settings.py (a test compares)."
  type = object({
    embedder_dimensions  = optional(number, 384)
    max_books            = optional(number, 20)
    max_feedback_seconds = optional(number, 30)
    max_open_requests    = optional(number, 64)
    max_task_sentences   = optional(number, 512)
    requests_per_minute  = optional(number, 120)
  })
  nullable = false
  default  = {}

  validation {
    condition     = alltrue([for name, value in var.settings : value > 0])
    error_message = "Every one of the settings is above 0."
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
