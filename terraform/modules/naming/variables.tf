variable "project_id" {
  description = "Google Cloud project; part of the names that are unique in the whole world."
  type        = string
  nullable    = false

  validation {
    condition     = can(regex("^[a-z][a-z0-9-]{4,28}[a-z0-9]$", var.project_id))
    error_message = "project_id is 6 to 30 lower-case letters, digits and hyphens, begins with a letter and ends with none of the hyphens."
  }
}

variable "project_number" {
  description = "That project's number; part of the addresses of its services."
  type        = string
  nullable    = false

  validation {
    condition     = can(regex("^[0-9]+$", var.project_number))
    error_message = "project_number is digits only: gcloud projects describe PROJECT --format='value(projectNumber)'."
  }
}

variable "environment" {
  description = "What this deployment is for; part of every name."
  type        = string
  nullable    = false

  validation {
    condition     = can(regex("^[a-z][a-z0-9]{0,7}$", var.environment))
    error_message = "environment is 1 to 8 lower-case letters and digits, as dev or prod: names of service accounts have room for no more."
  }
}

variable "region" {
  description = "Where everything is."
  type        = string
  nullable    = false
}
