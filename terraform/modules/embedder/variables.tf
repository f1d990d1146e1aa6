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
  description = "Name of the service."
  type        = string
  nullable    = false
}

variable "url" {
  description = "Its address, which tokens name as their audience."
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
  description = "CPUs and GiB of an instance; accelerator: nvidia-l4, or empty for none."
  type        = object({ accelerator = string, cpu = number, memory_gib = number })
  nullable    = false

  validation {
    condition     = contains(["", "nvidia-l4"], var.machine.accelerator)
    error_message = "accelerator is nvidia-l4, which Cloud Run has in most regions, or empty for none."
  }
  validation {
    condition     = var.machine.accelerator == "" || (var.machine.cpu >= 4 && var.machine.memory_gib >= 16)
    error_message = "With an L4, cpu is at least 4 and memory_gib at least 16: Cloud Run refuses less."
  }
  validation {
    condition     = contains([1, 2, 4, 6, 8], var.machine.cpu) && var.machine.memory_gib >= 4 && var.machine.memory_gib <= 4 * var.machine.cpu
    error_message = "cpu is 1, 2, 4, 6 or 8, and memory_gib at least 4, of which a scan's parser takes 2, and at most 4 for each cpu."
  }
}

variable "size" {
  description = "Requests at once, instances, seconds (module sizing)."
  type        = object({ concurrency = number, min_instances = number, max_instances = number, timeout_seconds = number })
  nullable    = false

  validation {
    condition     = var.size.timeout_seconds > var.task_seconds && var.size.timeout_seconds <= 3600
    error_message = "timeout_seconds is above task_seconds and at most 3600: the queue stops waiting before the embedder stops working."
  }
  validation {
    condition     = var.size.max_instances >= 1 && floor(var.size.max_instances) == var.size.max_instances
    error_message = "max_instances is a whole number of at least 1; to stop the embedder, pause the queue. It is the cap on cost."
  }
  validation {
    condition     = var.size.concurrency <= 1000
    error_message = "concurrency is at most 1000, Cloud Run's own limit: lower max_open_requests."
  }
}

variable "task_seconds" {
  description = "Seconds that one delivery of a task may take, also of a scan."
  type        = number
  nullable    = false
}

variable "invokers" {
  description = "Who may call it, by a name for each: serviceAccount:…"
  type        = map(string)
  nullable    = false

  validation {
    condition     = alltrue([for member in values(var.invokers) : startswith(member, "serviceAccount:")])
    error_message = "Only service accounts call the embedder: serviceAccount:NAME@PROJECT.iam.gserviceaccount.com."
  }
}

variable "protect" {
  description = "Whether Terraform refuses to delete it."
  type        = bool
  nullable    = false
}

variable "metrics_image" {
  description = "Image of Google's sidecar that hands Prometheus' figures on to Cloud Monitoring, by digest; empty for none."
  type        = string
  nullable    = false
  default     = ""

  validation {
    condition     = var.metrics_image == "" || can(regex("@sha256:[0-9a-f]{64}$", var.metrics_image))
    error_message = "metrics_image ends in @sha256: and 64 hex digits."
  }
}

variable "project_id" {
  description = "Google Cloud project."
  type        = string
  nullable    = false
}

variable "vertex_url" {
  description = "Address of an endpoint of Vertex AI that embeds for it; empty: its own model does."
  type        = string
  nullable    = false
  default     = ""
}
