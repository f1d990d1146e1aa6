variable "project_id" {
  description = "Google Cloud project; each environment has its own."
  type        = string
  nullable    = false
}

variable "project_number" {
  description = "That project's number."
  type        = string
  nullable    = false
}

variable "region" {
  description = "Where everything is and stays: data, machines, backups, secrets, the language model."
  type        = string
  nullable    = false
  default     = "europe-west1"
}

variable "oncall" {
  description = "E-mail address of who is told."
  type        = string
  nullable    = false
}

variable "operators" {
  description = "Who may run commands within the network, as user:… or group:…; whoever owns the project may in any case."
  type        = list(string)
  nullable    = false
  default     = []
}

variable "billing_account" {
  description = "The account that pays."
  type        = string
  nullable    = false
}

variable "time_zone" {
  description = "The schools' time zone."
  type        = string
  nullable    = false
  default     = "Europe/Berlin"
}

variable "functions_archive" {
  description = "The functions' archive, as `make functions` writes it."
  type        = string
  nullable    = false
  default     = "../../../build/functions.zip"
}

variable "state_bucket" {
  description = "The bucket that Terraform's state is kept in."
  type        = string
  nullable    = false
}

variable "repository" {
  description = "OWNER/NAME of the GitHub repository whose main branch releases; empty for none."
  type        = string
  nullable    = false
  default     = ""
}

variable "images" {
  description = "Images by digest; llm and metrics only where they are wanted."
  type        = object({ embedder = string, llm = optional(string, ""), metrics = optional(string, "") })
  nullable    = false

  validation {
    condition     = alltrue([for image in compact(values(var.images)) : can(regex("@sha256:[0-9a-f]{64}$", image))])
    error_message = "Images end in @sha256: and 64 hex digits: what runs is what was scanned and signed."
  }
}

variable "monthly_budget" {
  description = "What a month may cost before somebody is told."
  type        = number
  nullable    = false
  default     = 40
}

variable "timetable" {
  description = "When instances stand ready for lessons that end: cron expressions, some minutes before (from) and after (until), and how many of the api and of the embedder. Null: never; then a whole school at once waits longer."
  type        = object({ from = list(string), until = list(string), api = optional(number, 6), embedder = optional(number, 2) })
  default     = null
}

variable "language_model" {
  description = "What writes feedback: none (rules), gemini, vllm (our own, on a GPU) or openai (a server elsewhere, at url); prices per million tokens."
  type = object({
    kind         = string
    model        = optional(string, "")
    url          = optional(string, "")
    day_ceiling  = optional(number, 5)
    price_prompt = optional(number, 0)
    price_answer = optional(number, 0)
  })
  nullable = false
  default  = { kind = "none" }
}

variable "sign_in" {
  description = "How people come in to the pages: mail_from, the address that links are sent from (secret mail-server); schools, whether schools' own sign-ins are used (secret oidc-secrets); platforms, whether people come from Moodle or Canvas (secret lti-keys)."
  type = object({
    mail_from = optional(string, "")
    schools   = optional(bool, false)
    platforms = optional(bool, false)
  })
  nullable = false
  default  = {}
}

variable "catalog_password" {
  description = "Password of the catalog's user: TF_VAR_catalog_password=$(openssl rand -base64 24). In no state and no plan; looked at only when its version is raised."
  type        = string
  nullable    = false
  ephemeral   = true
  sensitive   = true
}

variable "catalog_password_version" {
  description = "Raised when the password changes."
  type        = number
  nullable    = false
  default     = 1
}
