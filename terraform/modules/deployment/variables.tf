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

variable "environment" {
  description = "What this deployment is for, as dev or prod; part of every name."
  type        = string
  nullable    = false
}

variable "region" {
  description = "Where everything is and stays: data, machines, backups, secrets, the language model."
  type        = string
  nullable    = false

  validation {
    condition     = contains(["europe-west1", "europe-west4", "asia-southeast1", "us-central1", "us-east4"], var.region)
    error_message = "region is one that has Cloud Run with an L4: europe-west1, europe-west4, asia-southeast1, us-central1 or us-east4."
  }
}

variable "zone_letter" {
  description = "The region's zone that Chroma is in."
  type        = string
  nullable    = false
  default     = "b"
}

variable "domain" {
  description = "Name that people reach it by; empty: no load balancer, the function's own address is open."
  type        = string
  nullable    = false
}

variable "oncall" {
  description = "E-mail address of who is told."
  type        = string
  nullable    = false
}

variable "operators" {
  description = "Who may run commands within the network (module admin), as IAM members."
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
}

variable "currency" {
  description = "The billing account's currency."
  type        = string
  nullable    = false
  default     = "EUR"
}

variable "time_zone" {
  description = "The schools' time zone."
  type        = string
  nullable    = false
}

variable "functions_archive" {
  description = "The functions' archive, as `make functions` writes it."
  type        = string
  nullable    = false
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
}

variable "settings" {
  description = "Figures that the application is told and the infrastructure is built for, by their names in module sizing, where they differ from its defaults."
  type        = map(number)
  nullable    = false
  default     = {}
}

variable "scale" {
  description = "For how many schools, and how many instances may run at once: the caps on cost (module sizing)."
  type        = map(number)
  nullable    = false
  default     = {}
}

variable "embedding_model" {
  description = "The model in the embedder's image, which the functions name alike."
  type        = string
  nullable    = false
  default     = "all-MiniLM-L6-v2"
}

variable "embedding_before" {
  description = "While books are embedded anew (docs/operations/reembedding.md): the model that schools are still searched with, the address of the embedder that runs it, and the length of its vectors; null otherwise."
  type        = object({ model = string, url = string, dimensions = optional(number, 384) })
  default     = null

  validation {
    condition     = var.embedding_before == null || try(startswith(var.embedding_before.url, "https://") && var.embedding_before.model != var.embedding_model, false)
    error_message = "embedding_before is another model than embedding_model, at the https:// address of a tag of the embedder's revision."
  }
}

variable "embedder_machine" {
  description = "CPUs and GiB of the embedder; accelerator: nvidia-l4, or empty for none."
  type        = object({ accelerator = string, cpu = number, memory_gib = number })
  nullable    = false
}

variable "index" {
  description = "Where vectors are: chroma (a VM of its own), pgvector (the catalog's PostgreSQL) or files (in the bucket of artefacts, searched where essays are answered)."
  type        = string
  nullable    = false

  validation {
    condition     = contains(["chroma", "pgvector", "files"], var.index)
    error_message = "index is chroma, pgvector or files."
  }
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

  validation {
    condition     = contains(["none", "gemini", "vllm", "openai"], var.language_model.kind)
    error_message = "language_model.kind is none, gemini, vllm or openai."
  }
  validation {
    condition     = var.language_model.kind == "none" || var.language_model.model != ""
    error_message = "language_model.model is the model's name."
  }
  validation {
    condition     = !contains(["gemini", "openai"], var.language_model.kind) || var.language_model.price_answer > 0
    error_message = "language_model.price_prompt and price_answer are what is paid for a million tokens: without them, day_ceiling holds nothing back."
  }
}

variable "sign_in" {
  description = "How people come in to the pages. mail_from: the address that links are sent from; empty: none are sent. schools: whether schools' own sign-ins are used (OpenID Connect). platforms: whether people come from Moodle or Canvas (LTI 1.3). What is secret goes into the secrets mail-server, oidc-secrets and lti-keys, out of band."
  type = object({
    mail_from = optional(string, "")
    schools   = optional(bool, false)
    platforms = optional(bool, false)
  })
  nullable = false
  default  = {}

  validation {
    condition     = var.sign_in.mail_from == "" || can(regex("^[^@\\s]+@[^@\\s]+$", var.sign_in.mail_from))
    error_message = "sign_in.mail_from is an e-mail address."
  }
}

variable "timetable" {
  description = "When instances of the api and the embedder stand ready: cron expressions in time_zone, some minutes before lessons end (from) and after (until), and how many. Null: never."
  type        = object({ from = list(string), until = list(string), api = optional(number, 6), embedder = optional(number, 2) })
  default     = null
}

variable "catalog_tier" {
  description = "Machine of the catalog."
  type        = string
  nullable    = false
}

variable "catalog_standby" {
  description = "Whether a protected catalog stands by in a second zone, which costs as much again."
  type        = bool
  nullable    = false
  default     = true
}

variable "catalog_running" {
  description = "Whether the catalog runs; stopped, only its disk costs."
  type        = bool
  nullable    = false
  default     = true
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

variable "protect" {
  description = "Whether data is kept from being deleted, stands by in a second zone and can be set back."
  type        = bool
  nullable    = false
}
