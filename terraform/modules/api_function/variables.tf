variable "project_id" {
  description = "Google Cloud project."
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

variable "source_code" {
  description = "The archive (bucket, object), the account that builds it, and the repository that the built image is kept in."
  type        = object({ bucket = string, object = string, builder = string, repository = string })
  nullable    = false
}

variable "environment" {
  description = "Settings of the application; no secrets."
  type        = map(string)
  nullable    = false
}

variable "secrets" {
  description = "By the name of a variable of its environment: id, secret and version."
  type        = map(object({ id = string, secret = string, version = string }))
  nullable    = false
}

variable "leaves_through" {
  description = "Network and subnetwork that all it sends goes through."
  type        = object({ network = string, subnetwork = string })
  nullable    = false
}

variable "buckets" {
  description = "Names of the buckets by what is in them."
  type        = map(string)
  nullable    = false
}

variable "queue" {
  description = "The queue: its name, and the identity that its tasks carry."
  type        = object({ name = string, account = object({ name = string, email = string, member = string }) })
  nullable    = false
}

variable "name" {
  description = "Name of the function."
  type        = string
  nullable    = false
}

variable "size" {
  description = "CPUs, MiB, requests at once, instances, seconds (module sizing)."
  type = object({
    cpu             = number
    memory_mib      = number
    concurrency     = number
    min_instances   = number
    max_instances   = number
    timeout_seconds = number
  })
  nullable = false

  validation {
    condition     = var.size.concurrency > try(tonumber(var.environment["CHAPTERVERSE_MAX_OPEN_REQUESTS"]), 0)
    error_message = "concurrency is above max_open_requests, or nobody is there to say 429."
  }
}

variable "behind_balancer" {
  description = "Whether a load balancer stands before it (module edge); else its own address is open, and the key alone guards it."
  type        = bool
  nullable    = false
}

variable "gemini_role" {
  description = "The role that lets it ask Gemini; null for none."
  type        = string
  default     = null
}
