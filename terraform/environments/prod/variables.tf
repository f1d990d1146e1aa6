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

variable "domain" {
  description = "Name that people reach it by; its A record points at the output a_record."
  type        = string
  nullable    = false

  validation {
    condition     = var.domain != ""
    error_message = "Production stands behind a load balancer: name the domain."
  }
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

variable "monthly_budget" {
  description = "What a month may cost before somebody is told."
  type        = number
  nullable    = false
  default     = 600
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
  description = "Images by digest; chroma, llm and metrics only where they are wanted."
  type        = object({ embedder = string, chroma = optional(string, ""), llm = optional(string, ""), metrics = optional(string, "") })
  nullable    = false

  validation {
    condition     = alltrue([for image in compact(values(var.images)) : can(regex("@sha256:[0-9a-f]{64}$", image))])
    error_message = "Images end in @sha256: and 64 hex digits: what runs is what was scanned and signed."
  }
}

variable "scale" {
  description = "For how many schools, and how many instances may run at once, where that differs from what is said in main.tf (module sizing)."
  type        = map(number)
  nullable    = false
  default     = {}
}

variable "vertex_endpoint" {
  description = "An endpoint of Vertex AI that runs the embedding model: its image by digest, its id and machine (module vertex_endpoint). Null: the embedder's service runs it."
  type = object({
    image       = string
    endpoint_id = optional(string, "1001")
    machine     = optional(object({ type = optional(string, "g2-standard-4"), accelerator = optional(string, "nvidia-l4"), min_replicas = optional(number, 1), max_replicas = optional(number, 2) }), {})
  })
  default = null
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
