variable "name" {
  description = "Name of the budget."
  type        = string
  nullable    = false
}

variable "billing_account" {
  description = "The account that pays, as 000000-000000-000000."
  type        = string
  nullable    = false

  validation {
    condition     = can(regex("^[0-9A-F]{6}-[0-9A-F]{6}-[0-9A-F]{6}$", var.billing_account))
    error_message = "billing_account is three times six hex digits: gcloud billing accounts list."
  }
}

variable "project_number" {
  description = "Number of the project that is watched."
  type        = string
  nullable    = false
}

variable "amount" {
  description = "What a month may cost, in whole units of the currency."
  type        = number
  nullable    = false

  validation {
    condition     = var.amount >= 1 && floor(var.amount) == var.amount
    error_message = "amount is a whole number of at least 1."
  }
}

variable "currency" {
  description = "The billing account's currency."
  type        = string
  nullable    = false
  default     = "EUR"

  validation {
    condition     = can(regex("^[A-Z]{3}$", var.currency))
    error_message = "currency is three capitals, as EUR."
  }
}

variable "channels" {
  description = "Whom it tells."
  type        = list(string)
  nullable    = false
}
