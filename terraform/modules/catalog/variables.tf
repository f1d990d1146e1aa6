variable "name" {
  description = "Name of the instance. A deleted one's name cannot be used for a week."
  type        = string
  nullable    = false
}

variable "region" {
  description = "Where the instance and its backups are."
  type        = string
  nullable    = false
}

variable "network" {
  description = "The network that it has a private address in; it has no other. Its connection to Google's network has to be there first."
  type        = string
  nullable    = false
}

variable "zone" {
  description = "The private zone that it gets a name in: name, domain."
  type        = object({ name = string, domain = string })
  nullable    = false
}

variable "tier" {
  description = "Machine: db-f1-micro for trying things out, db-custom-CPUS-MIB for people who rely on it."
  type        = string
  nullable    = false

  validation {
    condition     = can(regex("^db-(f1-micro|g1-small|custom-[0-9]+-[0-9]+)$", var.tier))
    error_message = "tier is db-f1-micro, db-g1-small or db-custom-CPUS-MIB."
  }
}

variable "max_connections" {
  description = "Connections that all instances may open together (module sizing)."
  type        = number
  nullable    = false

  validation {
    condition     = var.max_connections >= 14 && var.max_connections <= 1000
    error_message = "max_connections is 14 to 1000: beyond that, put a pooler before the database, or lower api_max."
  }
}

variable "password" {
  description = "Password of the application's user, at least 20 characters; in no state and no plan."
  type        = string
  nullable    = false
  ephemeral   = true
  sensitive   = true

  validation {
    condition     = length(var.password) >= 20
    error_message = "password has at least 20 characters: openssl rand -base64 24."
  }
}

variable "password_version" {
  description = "Raised when the password changes."
  type        = number
  nullable    = false
}

variable "standby" {
  description = "Whether it stands by in a second zone, which costs as much again."
  type        = bool
  nullable    = false
  default     = false
}

variable "protect" {
  description = "Whether it can be set back to any second of a week, and is not deleted by Terraform."
  type        = bool
  nullable    = false
}

variable "running" {
  description = "Whether it runs; stopped, only its disk costs."
  type        = bool
  nullable    = false
  default     = true

  validation {
    condition     = var.running || !var.protect
    error_message = "A protected catalog runs: switching it off would take the service down."
  }
}
