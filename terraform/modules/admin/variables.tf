variable "project_id" {
  description = "Google Cloud project."
  type        = string
  nullable    = false
}

variable "region" {
  description = "Where it runs."
  type        = string
  nullable    = false
}

variable "account_id" {
  description = "Account id of its identity."
  type        = string
  nullable    = false
}

variable "image" {
  description = "Image of containers/embedder, by digest."
  type        = string
  nullable    = false

  validation {
    condition     = can(regex("@sha256:[0-9a-f]{64}$", var.image))
    error_message = "image ends in @sha256: and 64 hex digits: what runs is what was scanned and signed."
  }
}

variable "environment" {
  description = "Settings of the application; no secrets."
  type        = map(string)
  nullable    = false
}

variable "secrets" {
  description = "By the name of a variable of its environment: id, secret and version."
  type        = map(object({ id = string, secret = string, version = string }))
  nullable    = false
}

variable "leaves_through" {
  description = "Network and subnetwork that all it sends goes through."
  type        = object({ network = string, subnetwork = string })
  nullable    = false
}

variable "buckets" {
  description = "Names of the buckets by what is in them."
  type        = map(string)
  nullable    = false
}

variable "queue" {
  description = "The queue: its name, and the identity that its tasks carry."
  type        = object({ name = string, account = object({ name = string, email = string, member = string }) })
  nullable    = false
}

variable "name" {
  description = "Name of the job."
  type        = string
  nullable    = false
}

variable "operators" {
  description = "Who may run commands, as IAM members: user:…, group:… or serviceAccount:…; whoever owns the project may in any case."
  type        = list(string)
  nullable    = false
  default     = []

  validation {
    condition     = alltrue([for member in var.operators : can(regex("^(user|group|serviceAccount):[^@]+@.+$", member))])
    error_message = "An operator is somebody: user:NAME@…, group:NAME@… or serviceAccount:NAME@…"
  }
}

variable "timeout_seconds" {
  description = "Seconds that a command may take."
  type        = number
  nullable    = false
  default     = 21600

  validation {
    condition     = var.timeout_seconds >= 600 && var.timeout_seconds <= 86400
    error_message = "timeout_seconds is 600 to 86400: a day is the longest that Cloud Run lets a job without a GPU go on."
  }
}
