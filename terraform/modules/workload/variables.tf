variable "project_id" {
  description = "Google Cloud project."
  type        = string
  nullable    = false
}

variable "region" {
  description = "Where the queue is."
  type        = string
  nullable    = false
}

variable "account_id" {
  description = "Account id of the identity."
  type        = string
  nullable    = false

  validation {
    condition     = can(regex("^[a-z][a-z0-9-]{4,28}[a-z0-9]$", var.account_id))
    error_message = "account_id is 6 to 30 lower-case letters, digits and hyphens."
  }
}

variable "title" {
  description = "What it is called in the console."
  type        = string
  nullable    = false
}

variable "description" {
  description = "What it does, for who reads the console."
  type        = string
  nullable    = false
}

variable "buckets" {
  description = "The buckets it uses, by a word for each use: name and role."
  type        = map(object({ name = string, role = string }))
  nullable    = false

  validation {
    condition     = alltrue([for use in values(var.buckets) : can(regex("^roles/storage\\.object(Viewer|Creator|User)$", use.role))])
    error_message = "A workload sees, creates or changes objects; it administers no bucket."
  }
}

variable "queue" {
  description = "The queue it adds tasks to: its name, and the identity that tasks carry."
  type        = object({ name = string, account = object({ name = string, email = string, member = string }) })
  nullable    = false
}

variable "secrets" {
  description = "The secrets it reads, by the name of a variable of its environment: id, secret and version."
  type        = map(object({ id = string, secret = string, version = string }))
  nullable    = false
}

variable "project_roles" {
  description = "What has no narrower place than the project, by a word for what it is for."
  type        = map(string)
  nullable    = false
  default     = {}

  validation {
    condition     = !anytrue([for role in values(var.project_roles) : contains(["roles/owner", "roles/editor", "roles/viewer"], role)])
    error_message = "A primitive role is a role for everything."
  }
}
