variable "project_id" {
  description = "Google Cloud project."
  type        = string
  nullable    = false
}

variable "name" {
  description = "Name of the VM; its parts are named after it."
  type        = string
  nullable    = false
}

variable "account_id" {
  description = "Account id of the VM's identity."
  type        = string
  nullable    = false
}

variable "region" {
  description = "Where its address and snapshots are."
  type        = string
  nullable    = false
}

variable "zone" {
  description = "Where the VM and its disk are; one of the region's."
  type        = string
  nullable    = false

  validation {
    condition     = startswith(var.zone, "${var.region}-")
    error_message = "zone is one of the region's: a disk cannot be attached elsewhere, and data stays in the region."
  }
}

variable "network" {
  description = "The network's id."
  type        = string
  nullable    = false
}

variable "subnetwork" {
  description = "The subnetwork of machines that keep data."
  type        = string
  nullable    = false
}

variable "callers_range" {
  description = "The addresses that may call it: those of functions and services."
  type        = string
  nullable    = false

  validation {
    condition     = can(cidrhost(var.callers_range, 0)) && !endswith(var.callers_range, "/0")
    error_message = "callers_range is a block of our own network, never everything: Chroma asks nobody for a password."
  }
}

variable "dns_zone" {
  description = "The private zone that it gets a name in: name, domain."
  type        = object({ name = string, domain = string })
  nullable    = false
}

variable "repository" {
  description = "Where its image is fetched from: name and location of the Artifact Registry repository."
  type        = object({ name = string, location = string })
  nullable    = false
}

variable "image" {
  description = "Image of containers/chroma, by digest."
  type        = string
  nullable    = false

  validation {
    condition     = can(regex("@sha256:[0-9a-f]{64}$", var.image))
    error_message = "image ends in @sha256: and 64 hex digits: a tag would be another server after the next restart."
  }
}

variable "machine_type" {
  description = "Machine that holds all vectors in memory (module sizing)."
  type        = string
  nullable    = false
}

variable "disk_gib" {
  description = "GiB of its data disk (module sizing)."
  type        = number
  nullable    = false

  validation {
    condition     = var.disk_gib >= 20
    error_message = "disk_gib is at least 20: small disks are slow, too."
  }
}
