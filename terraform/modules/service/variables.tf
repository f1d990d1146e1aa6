variable "place" {
  description = "Project, its number, what names begin with, region."
  type        = object({ project_id = string, project_number = string, prefix = string, region = string })
}

variable "name" {
  description = "Name of the service or job."
  type        = string
}

variable "title" {
  description = "What it does."
  type        = string
}

variable "url" {
  description = "Its address, which tokens name as their audience."
  type        = string
  default     = ""
}

variable "image" {
  description = "Its image by digest; later ones are the release's."
  type        = string
}

variable "command" {
  description = "What its container runs."
  type        = list(string)
}

variable "environment" {
  description = "Settings of the application; no secrets."
  type        = map(string)
}

variable "secrets" {
  description = "By the name of a variable of its environment: id, name and version of a secret that has one."
  type        = map(object({ id = string, secret = string, version = string }))
  default     = {}
}

variable "network" {
  description = "Network and subnetwork that all it sends goes through."
  type        = object({ id = string, run_subnetwork = string })
}

variable "size" {
  description = "CPUs, MiB, an accelerator or none, requests at once, instances and seconds."
  type        = object({ cpu = number, memory_mib = number, accelerator = optional(string, ""), concurrency = optional(number, 1), min_instances = optional(number, 0), max_instances = optional(number, 1), timeout_seconds = number })

  validation {
    condition     = var.size.concurrency <= 1000
    error_message = "concurrency is at most 1000, Cloud Run's own limit: lower max_open_requests."
  }
}

variable "ingress" {
  description = "Which network may call it."
  type        = string
  default     = "INGRESS_TRAFFIC_INTERNAL_ONLY"
}

variable "open" {
  description = "Whether Cloud Run lets in callers without a token: the application asks each for a key."
  type        = bool
  default     = false
}

variable "ready" {
  description = "The path that answers 200 once it can work, how often it is asked, and how often in vain; null: once it listens."
  type        = object({ path = string, period_seconds = optional(number, 1), failures = optional(number, 240) })
  default     = null
}

variable "metrics_image" {
  description = "Image of Google's sidecar that hands Prometheus metrics on, by digest; empty for none."
  type        = string
  default     = ""
}

variable "protect" {
  description = "Whether Terraform refuses to delete it."
  type        = bool
}

variable "job" {
  description = "Whether it is a job, which runs commands."
  type        = bool
  default     = false
}

variable "grants" {
  description = "What its identity may do: buckets by name (objectViewer, objectUser), roles in the project that have no narrower place, the queue that it adds to, whether it signs addresses; and who may invoke it, and release in its name."
  type = object({
    buckets    = optional(map(string), {})
    project    = optional(map(string), {})
    queue      = optional(object({ name = string, account = string }))
    signs      = optional(bool, false)
    invoked_by = optional(map(string), {})
    acted_by   = optional(map(string), {})
  })

  validation {
    condition     = alltrue([for role in values(var.grants.buckets) : contains(["objectViewer", "objectUser"], role)])
    error_message = "A program sees or changes objects; it administers no bucket."
  }
  validation {
    condition     = !anytrue([for role in values(var.grants.project) : contains(["roles/owner", "roles/editor", "roles/viewer"], role)])
    error_message = "A primitive role is a role for everything."
  }
  validation {
    condition     = alltrue([for member in values(var.grants.invoked_by) : startswith(member, "serviceAccount:")])
    error_message = "Only service accounts call a private service."
  }
}
