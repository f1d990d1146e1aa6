variable "name" {
  description = "Name of the service."
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

variable "image" {
  description = "Image of containers/llm, by digest."
  type        = string
  nullable    = false

  validation {
    condition     = can(regex("@sha256:[0-9a-f]{64}$", var.image))
    error_message = "image ends in @sha256: and 64 hex digits: what runs is what was scanned and signed."
  }
}

variable "url" {
  description = "Its address, which tokens name as their audience."
  type        = string
  nullable    = false
}

variable "model" {
  description = "The model in the image, as callers name it."
  type        = string
  nullable    = false
}

variable "invokers" {
  description = "Who may call it, by a name for each: serviceAccount:…"
  type        = map(string)
  nullable    = false

  validation {
    condition     = alltrue([for member in values(var.invokers) : startswith(member, "serviceAccount:")])
    error_message = "Only service accounts call the model: serviceAccount:NAME@PROJECT.iam.gserviceaccount.com."
  }
}

variable "key" {
  description = "The secret that callers show: id, secret and version."
  type        = object({ id = string, secret = string, version = string })
  nullable    = false
}

variable "machine" {
  description = "CPUs and GiB of an instance, and its GPU."
  type        = object({ accelerator = string, cpu = number, memory_gib = number })
  nullable    = false
  default     = { accelerator = "nvidia-l4", cpu = 8, memory_gib = 32 }

  validation {
    condition     = var.machine.accelerator == "nvidia-l4" && var.machine.cpu >= 4 && var.machine.memory_gib >= 16
    error_message = "A language model needs an L4, cpu at least 4 and memory_gib at least 16: Cloud Run refuses less."
  }
}

variable "concurrency" {
  description = "Requests that one instance works on together; three are one essay."
  type        = number
  nullable    = false
  default     = 32

  validation {
    condition     = var.concurrency >= 1 && var.concurrency <= 256
    error_message = "concurrency is 1 to 256, vLLM's own limit of sequences at once."
  }
}

variable "min_instances" {
  description = "Instances that are always there; 0 costs nothing at night, and a first answer takes minutes."
  type        = number
  nullable    = false
  default     = 0
}

variable "max_instances" {
  description = "Most GPU instances at once: the cap on cost."
  type        = number
  nullable    = false
  default     = 1

  validation {
    condition     = var.max_instances >= 1 && var.max_instances >= var.min_instances
    error_message = "max_instances is at least 1 and not below min_instances."
  }
}

variable "leaves_through" {
  description = "Network and subnetwork that all it sends goes through."
  type        = object({ network = string, subnetwork = string })
  nullable    = false
}

variable "protect" {
  description = "Whether Terraform refuses to delete it."
  type        = bool
  nullable    = false
}
