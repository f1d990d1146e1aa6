variable "project_id" {
  description = "Google Cloud project."
  type        = string
  nullable    = false
}

variable "region" {
  description = "Where the services and the jobs are."
  type        = string
  nullable    = false
}

variable "name" {
  description = "What the jobs' names begin with."
  type        = string
  nullable    = false
}

variable "account_id" {
  description = "Account id of the identity that changes the services."
  type        = string
  nullable    = false
}

variable "time_zone" {
  description = "The school's time zone."
  type        = string
  nullable    = false
}

variable "from" {
  description = "From when instances stand ready, as cron writes it: some minutes before lessons end."
  type        = list(string)
  nullable    = false

  validation {
    condition     = alltrue([for schedule in var.from : can(regex("^(\\S+ ){4}\\S+$", schedule))])
    error_message = "A schedule has five fields, as 25 9 * * 1-5."
  }
}

variable "until" {
  description = "Until when, as cron writes it. Cloud Run keeps instances for a while longer, without a charge."
  type        = list(string)
  nullable    = false

  validation {
    condition     = alltrue([for schedule in var.until : can(regex("^(\\S+ ){4}\\S+$", schedule))]) && length(var.until) > 0
    error_message = "A schedule has five fields, as 40 9 * * 1-5; without one, instances would stand ready, and be paid for, for ever."
  }
}

variable "services" {
  description = "By what they do: the Cloud Run service, the name of its identity, and how many instances stand ready."
  type        = map(object({ name = string, identity = string, instances = number }))
  nullable    = false

  validation {
    condition     = alltrue([for service in values(var.services) : service.instances >= 1])
    error_message = "At least one instance stands ready, or there is nothing to do."
  }
}
