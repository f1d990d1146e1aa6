variable "project_id" {
  description = "Google Cloud project."
  type        = string
  nullable    = false
}

variable "name" {
  description = "Name of the queue. A deleted one's name cannot be used for a week."
  type        = string
  nullable    = false
}

variable "region" {
  description = "Where the queue is."
  type        = string
  nullable    = false
}

variable "account_id" {
  description = "Account id of the identity that tasks carry."
  type        = string
  nullable    = false
}

variable "max_concurrent_dispatches" {
  description = "Tasks delivered at once (module sizing)."
  type        = number
  nullable    = false

  validation {
    condition     = var.max_concurrent_dispatches >= 1 && var.max_concurrent_dispatches <= 5000
    error_message = "max_concurrent_dispatches is 1 to 5000, Cloud Tasks' own limit."
  }
}

variable "max_dispatches_per_second" {
  description = "Tasks delivered a second; a batch of sentences takes a second or more, so this holds back only what is turned away."
  type        = number
  nullable    = false
  default     = 20

  validation {
    condition     = var.max_dispatches_per_second > 0 && var.max_dispatches_per_second <= 500
    error_message = "max_dispatches_per_second is above 0 and at most 500, Cloud Tasks' own limit."
  }
}

variable "max_attempts" {
  description = "Deliveries of a task, more than the application's task_attempts (module sizing)."
  type        = number
  nullable    = false

  validation {
    condition     = var.max_attempts > 1
    error_message = "max_attempts is above 1: what is delivered once is lost with the first instance that ends."
  }
}
