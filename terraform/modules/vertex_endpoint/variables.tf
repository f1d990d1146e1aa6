variable "project_id" {
  description = "Google Cloud project."
  type        = string
  nullable    = false
}

variable "name" {
  description = "Name of the endpoint for people."
  type        = string
  nullable    = false
}

variable "endpoint_id" {
  description = "Its id, as Vertex AI takes it: at most ten digits, the first of them not 0."
  type        = string
  nullable    = false
  default     = "1001"

  validation {
    condition     = can(regex("^[1-9][0-9]{0,9}$", var.endpoint_id))
    error_message = "endpoint_id is at most ten digits, the first of them not 0."
  }
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

variable "machine" {
  description = "What the model runs on. accelerator: empty for none. An endpoint always keeps at least one replica."
  type = object({
    type         = optional(string, "g2-standard-4")
    accelerator  = optional(string, "nvidia-l4")
    min_replicas = optional(number, 1)
    max_replicas = optional(number, 2)
  })
  nullable = false
  default  = {}

  validation {
    condition     = var.machine.min_replicas >= 1 && var.machine.max_replicas >= var.machine.min_replicas
    error_message = "machine.min_replicas is at least 1, and max_replicas no less."
  }
}

variable "invokers" {
  description = "Who may ask it, as members by a word for each."
  type        = map(string)
  nullable    = false
}
