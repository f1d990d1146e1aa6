variable "prefix" {
  description = "What the names of the secrets begin with."
  type        = string
  nullable    = false
}

variable "region" {
  description = "Where the secrets are kept, and nowhere else."
  type        = string
  nullable    = false
}

variable "names" {
  description = "The secrets. One without a version here gets its value out of band: gcloud secrets versions add."
  type        = set(string)
  nullable    = false
}

variable "versions" {
  description = "Of those whose values come from here: a number that is raised when the value changes."
  type        = map(number)
  nullable    = false
  default     = {}

  validation {
    condition     = length(setsubtract(keys(var.versions), var.names)) == 0
    error_message = "versions names a secret that is not in names."
  }
}

variable "values" {
  description = "Their values; in no state and no plan."
  type        = map(string)
  nullable    = false
  default     = {}
  ephemeral   = true
  sensitive   = true
}

variable "protect" {
  description = "Whether Terraform refuses to delete them."
  type        = bool
  nullable    = false
}
