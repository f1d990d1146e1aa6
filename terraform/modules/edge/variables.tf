variable "place" {
  description = "Project, its number, what names begin with, region."
  type        = object({ project_id = string, project_number = string, prefix = string, region = string })
}

variable "service" {
  description = "The service behind it."
  type        = string
}

variable "domain" {
  description = "Name that people reach it by."
  type        = string
}

variable "requests_per_minute" {
  description = "Requests a minute from one address; a school may share one."
  type        = number
}
