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

variable "names" {
  description = "Names of the two functions: uploaded, deleted."
  type        = object({ uploaded = string, deleted = string })
  nullable    = false
}

variable "size" {
  description = "CPUs, MiB, requests at once, instances, seconds (module sizing)."
  type        = object({ cpu = number, memory_mib = number, concurrency = number, max_instances = number, timeout_seconds = number })
  nullable    = false

  validation {
    condition     = var.size.concurrency == 1
    error_message = "One PDF at a time: its parser may take all the memory there is."
  }
  validation {
    condition     = var.size.timeout_seconds < var.task_seconds
    error_message = "The function's time is shorter than a task's (task_seconds)."
  }
}

variable "task_seconds" {
  description = "Seconds that one delivery of a task may take."
  type        = number
  nullable    = false
}
