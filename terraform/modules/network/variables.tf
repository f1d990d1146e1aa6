variable "name" {
  description = "Name of the network; its parts are named after it."
  type        = string
  nullable    = false
}

variable "region" {
  description = "Where its subnetworks are."
  type        = string
  nullable    = false
}

variable "run_range" {
  description = "Addresses of functions and services; Cloud Run takes up to two an instance, and more while it replaces them."
  type        = string
  nullable    = false
  default     = "10.10.0.0/23"

  validation {
    condition     = can(cidrhost(var.run_range, 0)) && try(tonumber(split("/", var.run_range)[1]) <= 26, false)
    error_message = "run_range is a block as 10.10.0.0/23, of at least a /26: Cloud Run takes no smaller one."
  }
}

variable "data_range" {
  description = "Addresses of machines that keep data."
  type        = string
  nullable    = false
  default     = "10.10.2.0/28"

  validation {
    condition     = can(cidrhost(var.data_range, 0))
    error_message = "data_range is a block as 10.10.2.0/28."
  }
}

variable "domain" {
  description = "Private domain of the names within the network."
  type        = string
  nullable    = false
  default     = "chapterverse.internal"

  validation {
    condition     = endswith(var.domain, ".internal")
    error_message = "domain ends in .internal, which is nobody's in public."
  }
}

variable "internet" {
  description = "Whether functions and services may reach what is not Google's: only for a language model elsewhere."
  type        = bool
  nullable    = false
  default     = false
}
