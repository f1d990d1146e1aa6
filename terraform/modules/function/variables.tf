variable "project_id" {
  description = "Google Cloud project."
  type        = string
  nullable    = false
}

variable "name" {
  description = "Name of the function and of the service behind it."
  type        = string
  nullable    = false
}

variable "description" {
  description = "What it does, for who reads the console."
  type        = string
  nullable    = false
}

variable "region" {
  description = "Where it runs; for storage events, where the bucket is."
  type        = string
  nullable    = false
}

variable "entry_point" {
  description = "A name in functions/main.py."
  type        = string
  nullable    = false
}

variable "source_code" {
  description = "The archive (bucket, object), the account that builds it, and the repository that the built image is kept in."
  type        = object({ bucket = string, object = string, builder = string, repository = string })
  nullable    = false
}

variable "service_account" {
  description = "E-mail of the identity it runs as."
  type        = string
  nullable    = false
}

variable "environment" {
  description = "Its environment; no secrets."
  type        = map(string)
  nullable    = false

  validation {
    condition     = alltrue([for name, value in var.environment : !can(regex("(?i)password|_key$|secret", name)) || value == ""])
    error_message = "A password or key goes into secrets, not into the environment: that is in the state and in the console."
  }
}

variable "secrets" {
  description = "By the name of a variable of its environment: secret and version."
  type        = map(object({ id = string, secret = string, version = string }))
  nullable    = false
  default     = {}
}

variable "leaves_through" {
  description = "Network and subnetwork that all it sends goes through."
  type        = object({ network = string, subnetwork = string })
  nullable    = false
}

variable "size" {
  description = "CPUs, MiB, requests at once, instances, seconds (module sizing)."
  type = object({
    cpu             = number
    memory_mib      = number
    concurrency     = number
    min_instances   = optional(number, 0)
    max_instances   = number
    timeout_seconds = number
  })
  nullable = false

  validation {
    condition     = var.size.concurrency == 1 || var.size.cpu >= 1
    error_message = "More than one request at once needs a whole CPU."
  }
  validation {
    condition     = var.size.memory_mib >= 512 && var.size.memory_mib <= 4096 * max(1, var.size.cpu)
    error_message = "memory_mib is 512 to 4096 for each CPU: Cloud Run gives no more."
  }
  validation {
    condition     = var.size.timeout_seconds >= 1 && var.size.timeout_seconds <= (var.event == null ? 3600 : 540)
    error_message = "timeout_seconds is at most 3600, and 540 for a function that an event calls."
  }
  validation {
    condition     = var.size.max_instances >= 1 && var.size.min_instances <= var.size.max_instances
    error_message = "max_instances is at least 1 and not below min_instances; it is the cap on cost."
  }
}

variable "ingress" {
  description = "Where calls may come from."
  type        = string
  nullable    = false
  default     = "ALLOW_INTERNAL_ONLY"

  validation {
    condition     = contains(["ALLOW_INTERNAL_ONLY", "ALLOW_INTERNAL_AND_GCLB", "ALLOW_ALL"], var.ingress)
    error_message = "ingress is ALLOW_INTERNAL_ONLY, ALLOW_INTERNAL_AND_GCLB or ALLOW_ALL."
  }
}

variable "event" {
  description = "The storage event that calls it: type and bucket; null for a function that is called by HTTP."
  type        = object({ type = string, bucket = string })
  default     = null

  validation {
    condition     = var.event == null || contains(["google.cloud.storage.object.v1.finalized", "google.cloud.storage.object.v1.archived"], try(var.event.type, ""))
    error_message = "event.type is google.cloud.storage.object.v1.finalized or .deleted."
  }
}

variable "invokers" {
  description = "Who may call it, by a name for each."
  type        = map(string)
  nullable    = false

  validation {
    condition     = !contains(values(var.invokers), "allAuthenticatedUsers")
    error_message = "allAuthenticatedUsers is everybody with any Google account."
  }
  validation {
    condition     = !contains(values(var.invokers), "allUsers") || var.ingress != "ALLOW_INTERNAL_ONLY"
    error_message = "allUsers is for the api, which asks for a key itself; what only our own services call names them."
  }
}

variable "gradual" {
  description = "Whether the release says which revision answers (infra/canary.sh), not each apply: for what people wait for."
  type        = bool
  nullable    = false
  default     = false
}
