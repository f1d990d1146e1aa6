variable "place" {
  description = "Project, its number, what names begin with, region."
  type        = object({ project_id = string, project_number = string, prefix = string, region = string })
}

variable "time_zone" {
  description = "The schools' time zone."
  type        = string
}

variable "uploads" {
  description = "The bucket whose events are received."
  type        = string
}

variable "receivers" {
  description = "Names of the services by the event: uploaded, deleted."
  type        = map(string)
}

variable "events_account" {
  description = "The identity that events come with: email and member."
  type        = object({ email = string, member = string })
}

variable "nightly" {
  description = "The nightly service: its address and the seconds that it may take."
  type        = object({ url = string, timeout_seconds = number })
}

variable "timetable" {
  description = "When instances stand ready: cron expressions, and how many of the api and the embedder; null: never."
  type        = object({ from = list(string), until = list(string), api = number, embedder = number })
  default     = null
}

variable "warmed" {
  description = "Services by name in the timetable: name, and name of the account."
  type        = map(object({ name = string, account = string }))
}
