variable "project_id" {
  description = "Google Cloud project."
  type        = string
  nullable    = false
}

variable "prefix" {
  description = "What names begin with."
  type        = string
  nullable    = false
}

variable "region" {
  description = "Where the services are."
  type        = string
  nullable    = false
}

variable "oncall" {
  description = "E-mail address of who is told."
  type        = string
  nullable    = false

  validation {
    condition     = can(regex("^[^@\\s]+@[^@\\s]+\\.[^@\\s]+$", var.oncall))
    error_message = "oncall is an e-mail address."
  }
}

variable "domain" {
  description = "Name that the api is reached by from outside; empty: it is not asked every five minutes, which would keep it awake."
  type        = string
  nullable    = false
}

variable "services" {
  description = "Names of the Cloud Run services: api, embedder."
  type        = object({ api = string, embedder = string })
  nullable    = false
}

variable "queue" {
  description = "Name of the queue."
  type        = string
  nullable    = false
}

variable "catalog" {
  description = "Name of the catalog's instance."
  type        = string
  nullable    = false
}

variable "slow_seconds" {
  description = "p95 of the api beyond which somebody is told; S1 wants 5 s."
  type        = number
  nullable    = false
  default     = 5

  validation {
    condition     = var.slow_seconds > 0 && var.slow_seconds <= 60
    error_message = "slow_seconds is above 0 and at most 60, the api's own limit."
  }
}

variable "deep_queue" {
  description = "Tasks that may wait for half an hour before somebody is told; a book has about 15."
  type        = number
  nullable    = false
  default     = 500
}

variable "day_ceiling" {
  description = "What the language model may cost all schools together in a day; 0 where there is none that costs."
  type        = number
  nullable    = false
  default     = 0

  validation {
    condition     = var.day_ceiling >= 0
    error_message = "day_ceiling is a sum of money, or 0."
  }
}
