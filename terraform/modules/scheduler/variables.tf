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

variable "source_code" {
  description = "The archive (bucket, object), the account that builds it, and the repository that the built image is kept in."
  type        = object({ bucket = string, object = string, builder = string, repository = string })
  nullable    = false
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
  description = "Name of the function and of the job."
  type        = string
  nullable    = false
}

variable "url" {
  description = "Address of the function."
  type        = string
  nullable    = false
}

variable "clock_account_id" {
  description = "Account id of the identity that starts it."
  type        = string
  nullable    = false
}

variable "schedules" {
  description = "When, as cron writes it, by school; all: every school without an hour of its own."
  type        = map(string)
  nullable    = false
  default     = { all = "0 20 * * *" } # twelve hours before school begins (S1)

  validation {
    condition     = alltrue([for schedule in values(var.schedules) : can(regex("^(\\S+ ){4}\\S+$", schedule))])
    error_message = "A schedule has five fields, as 0 20 * * *."
  }
}

variable "time_zone" {
  description = "The schools' time zone."
  type        = string
  nullable    = false
  default     = "Etc/UTC"
}

variable "size" {
  description = "CPUs, MiB, requests at once, instances, seconds (module sizing)."
  type        = object({ cpu = number, memory_mib = number, concurrency = number, max_instances = number, timeout_seconds = number })
  nullable    = false

  validation {
    condition     = var.size.timeout_seconds > var.task_seconds && var.size.timeout_seconds <= 1740
    error_message = "timeout_seconds is above task_seconds, as for whoever does tasks, and at most 1740: Cloud Scheduler waits for half an hour."
  }
}

variable "task_seconds" {
  description = "Seconds that one delivery of a task may take."
  type        = number
  nullable    = false
}

variable "gemini_role" {
  description = "The role that lets it ask Gemini; null for none."
  type        = string
  default     = null
}
