variable "project_id" {
  description = "Google Cloud project."
  type        = string
  nullable    = false
}

variable "region" {
  description = "Where the buckets are; functions that their events call are in the same place."
  type        = string
  nullable    = false
}

variable "names" {
  description = "Names of the buckets: uploads (teachers' PDFs), artefacts (parsed books and vectors: the truth), results (of nightly work), source (archives of functions)."
  type        = map(string)
  nullable    = false

  validation {
    condition     = toset(keys(var.names)) == toset(["uploads", "artefacts", "results", "source"])
    error_message = "names has uploads, artefacts, results and source."
  }
}

variable "site" {
  description = "Where the pages are, https://…: their browsers send files straight into the bucket of uploads."
  type        = string
  nullable    = false

  validation {
    condition     = can(regex("^https://[^/]+$", var.site))
    error_message = "site is https:// and a name, without a slash at the end."
  }
}

variable "protect" {
  description = "Whether a bucket that holds something is kept, and what is deleted comes back for a week."
  type        = bool
  nullable    = false
}

variable "keep_days" {
  description = "Days that a replaced or deleted version is kept: so long a mistake can be undone, and so long a school that left is still there."
  type        = number
  nullable    = false
  default     = 30

  validation {
    condition     = var.keep_days >= 1 && var.keep_days <= 90
    error_message = "keep_days is 1 to 90: what a school deletes is gone after that."
  }
}

variable "keep_results_days" {
  description = "Days that results of nightly work, which hold students' essays, are kept."
  type        = number
  nullable    = false
  default     = 30

  validation {
    condition     = var.keep_results_days >= 1 && var.keep_results_days <= 365
    error_message = "keep_results_days is 1 to 365."
  }
}
