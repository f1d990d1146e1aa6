variable "place" {
  description = "Project, its number, what names begin with, region."
  type        = object({ project_id = string, project_number = string, prefix = string, region = string })
}

variable "site" {
  description = "Address of the pages, which may send files to the bucket of uploads."
  type        = string
}

variable "protect" {
  description = "Whether data is kept from being deleted and can be set back."
  type        = bool
}

variable "network" {
  description = "The network's id, and the private zone that the catalogue gets a name in."
  type        = object({ id = string, zone = object({ name = string, domain = string }) })
}

variable "catalogue" {
  description = "Machine, standby, whether it runs, connections that all instances may open together, version of the password."
  type        = object({ tier = string, standby = bool, running = bool, max_connections = number, password_version = number })
}

variable "queue" {
  description = "Tasks at once, and attempts."
  type        = object({ max_concurrent_dispatches = number, max_attempts = number })
}

variable "password" {
  description = "The catalogue's."
  type        = string
  ephemeral   = true
  sensitive   = true
}
