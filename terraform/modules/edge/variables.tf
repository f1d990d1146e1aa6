variable "name" {
  description = "Name of the balancer; its parts are named after it."
  type        = string
  nullable    = false
}

variable "region" {
  description = "Where the service is."
  type        = string
  nullable    = false
}

variable "service" {
  description = "Name of the Cloud Run service behind it."
  type        = string
  nullable    = false
}

variable "domain" {
  description = "Name that people reach it by; its A record points at the output address."
  type        = string
  nullable    = false

  validation {
    condition     = can(regex("^([a-z0-9]([a-z0-9-]*[a-z0-9])?\\.)+[a-z]{2,}$", var.domain))
    error_message = "domain is a name as essays.my-school.example, without https://."
  }
}

variable "requests_per_minute" {
  description = "Requests a minute from one address, which a whole school may share (module sizing)."
  type        = number
  nullable    = false

  validation {
    condition     = var.requests_per_minute >= 100 && var.requests_per_minute <= 10000
    error_message = "requests_per_minute is 100 to 10000: a school shares one address, and beyond that the throttle holds nobody back."
  }
}
