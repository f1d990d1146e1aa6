variable "project_id" {
  description = "Google Cloud project."
  type        = string
  nullable    = false
}

variable "prefix" {
  description = "What names begin with."
  type        = string
  nullable    = false
}

variable "region" {
  description = "Where images are kept."
  type        = string
  nullable    = false
}

variable "archive" {
  description = "The functions' archive, as `make functions` writes it."
  type        = string
  nullable    = false

  validation {
    condition     = fileexists(var.archive)
    error_message = "There is no such archive: run make functions."
  }
}

variable "source_bucket" {
  description = "The bucket that archives are kept in."
  type        = string
  nullable    = false
}

variable "state_bucket" {
  description = "The bucket that Terraform's state is kept in."
  type        = string
  nullable    = false
}

variable "builder_account_id" {
  description = "Account id of the identity that builds functions."
  type        = string
  nullable    = false
}

variable "deployer_account_id" {
  description = "Account id of the identity that releases."
  type        = string
  nullable    = false
}

variable "repository" {
  description = "OWNER/NAME of the GitHub repository whose main branch releases, in an environment of this one's name; empty for none."
  type        = string
  nullable    = false
  default     = ""

  validation {
    condition     = var.repository == "" || can(regex("^[A-Za-z0-9_.-]+/[A-Za-z0-9_.-]+$", var.repository))
    error_message = "repository is OWNER/NAME, without https://."
  }
}

variable "environment" {
  description = "Name of this environment, there as here."
  type        = string
  nullable    = false
}

variable "workloads" {
  description = "Accounts that new revisions run as, by a name for each."
  type        = map(string)
  nullable    = false
}
