variable "project_id" {
  description = "Google Cloud project; each deployment has its own."
  type        = string

  validation {
    condition     = can(regex("^[a-z][a-z0-9-]{4,28}[a-z0-9]$", var.project_id))
    error_message = "project_id is 6 to 30 lower-case letters, digits and hyphens, begins with a letter and ends with none of the hyphens."
  }
}

variable "project_number" {
  description = "That project's number: gcloud projects describe PROJECT --format='value(projectNumber)'."
  type        = string

  validation {
    condition     = can(regex("^[0-9]+$", var.project_number))
    error_message = "project_number is digits only: gcloud projects describe PROJECT --format='value(projectNumber)'."
  }
}

variable "name" {
  description = "What this deployment is called; part of every name."
  type        = string

  validation {
    condition     = can(regex("^[a-z][a-z0-9]{0,7}$", var.name))
    error_message = "name is 1 to 8 lower-case letters and digits: names of service accounts have room for no more."
  }
}

variable "region" {
  description = "Where everything is and stays."
  type        = string
  nullable    = false
  default     = "europe-west1"

  validation {
    condition     = contains(["europe-west1", "asia-southeast1", "us-central1", "us-east4"], var.region)
    error_message = "region is one that has Cloud Tasks, and Cloud Run with an L4: europe-west1, asia-southeast1, us-central1 or us-east4."
  }
}

variable "domain" {
  description = "Name that people reach it by, behind a load balancer; empty: the api's own address."
  type        = string
  nullable    = false
  default     = ""

  validation {
    condition     = var.domain == "" || can(regex("^([a-z0-9]([a-z0-9-]*[a-z0-9])?\\.)+[a-z]{2,}$", var.domain))
    error_message = "domain is a name as essays.my-school.example, without https://."
  }
}

variable "oncall" {
  description = "E-mail address that alerts go to."
  type        = string
}

variable "operators" {
  description = "People who run commands within the network, as user:… or group:…"
  type        = set(string)
  nullable    = false
  default     = []

  validation {
    condition     = alltrue([for member in var.operators : can(regex("^(user|group|serviceAccount):[^@]+@.+$", member))])
    error_message = "An operator is user:NAME@…, group:NAME@… or serviceAccount:NAME@…"
  }
}

variable "budget" {
  description = "The account that pays, as 000000-000000-000000, and what a month may cost, in whole units of its currency, before an e-mail is sent; without an account no budget is made."
  type        = object({ account = optional(string, ""), amount = number })

  validation {
    condition     = can(regex("^([0-9A-F]{6}-[0-9A-F]{6}-[0-9A-F]{6})?$", var.budget.account))
    error_message = "budget.account is three times six hex digits: gcloud billing accounts list."
  }
}

variable "time_zone" {
  description = "The schools' time zone."
  type        = string
  default     = "Europe/Berlin"
}

variable "repository" {
  description = "OWNER/NAME of the GitHub repository whose main branch releases, in an environment called as name; empty for none."
  type        = string
  nullable    = false
  default     = ""

  validation {
    condition     = var.repository == "" || can(regex("^[A-Za-z0-9_.-]+/[A-Za-z0-9_.-]+$", var.repository))
    error_message = "repository is OWNER/NAME, without https://."
  }
}

variable "images" {
  description = "Images by digest. app: of the first deployment (later ones are the release's); gpu: of an embedder with a GPU; chroma, llm, metrics: where there is one."
  type        = object({ app = string, gpu = optional(string, ""), chroma = optional(string, ""), llm = optional(string, ""), metrics = optional(string, "") })

  validation {
    condition     = alltrue([for image in compact(values(var.images)) : can(regex("@sha256:[0-9a-f]{64}$", image))])
    error_message = "Images end in @sha256: and 64 hex digits: what runs is what was scanned and signed."
  }
}

variable "settings" {
  description = "Figures that the application is told and that the infrastructure is built for. Names and defaults are those of settings.py (a test compares)."
  type = object({
    max_books            = optional(number, 20)
    max_feedback_seconds = optional(number, 30)
    max_open_requests    = optional(number, 64)
    max_task_sentences   = optional(number, 512)
    requests_per_minute  = optional(number, 120)
  })
  nullable = false
  default  = {}

  validation {
    condition     = alltrue([for name, value in var.settings : value > 0])
    error_message = "Every one of the settings is above 0."
  }
}

variable "scale" {
  description = "For how many schools, and how many instances may run at once. These are the caps on cost: a budget only alerts."
  type = object({
    schools      = optional(number, 1)
    api_min      = optional(number, 0)
    api_max      = optional(number, 4)
    nightly_max  = optional(number, 2)
    ingest_max   = optional(number, 4)
    embedder_min = optional(number, 0)
    embedder_max = optional(number, 1)
    bulk_share   = optional(number, 0.5)
  })
  nullable = false
  default  = {}

  validation {
    condition     = alltrue([for name in ["schools", "api_max", "ingest_max", "nightly_max", "embedder_max"] : var.scale[name] >= 1])
    error_message = "There is at least one of each; to stop the embedder, pause the queue."
  }
  validation {
    condition     = var.scale.api_min <= var.scale.api_max && var.scale.embedder_min <= var.scale.embedder_max
    error_message = "A minimum of instances is not above its maximum."
  }
  validation {
    condition     = var.scale.bulk_share > 0 && var.scale.bulk_share <= 0.75
    error_message = "bulk_share is above 0 and at most 0.75: a quarter of the embedders' task slots stays free, so that students never wait for books."
  }
}

variable "embedder" {
  description = "Its model with the length of its vectors, and an instance: CPUs and GiB, and nvidia-l4 or nothing."
  type        = object({ model = optional(string, "all-MiniLM-L6-v2"), dimensions = optional(number, 384), accelerator = optional(string, ""), cpu = number, memory_gib = number })

  validation {
    condition     = contains(["", "nvidia-l4"], var.embedder.accelerator)
    error_message = "accelerator is nvidia-l4 or empty."
  }
  validation {
    condition     = var.embedder.accelerator == "" || (var.embedder.cpu >= 4 && var.embedder.memory_gib >= 16)
    error_message = "With an L4, cpu is at least 4 and memory_gib at least 16: Cloud Run refuses less."
  }
  validation {
    condition     = contains([1, 2, 4, 6, 8], var.embedder.cpu) && var.embedder.memory_gib >= 4 && var.embedder.memory_gib <= 4 * var.embedder.cpu
    error_message = "cpu is 1, 2, 4, 6 or 8, and memory_gib at least 4, of which a scan's parser takes 2, and at most 4 for each cpu."
  }
}

variable "vertex_endpoint" {
  description = "An endpoint of Vertex AI that runs the embedding model in place of the embedder's own; null: none."
  type = object({
    image       = string
    endpoint_id = optional(string, "1001")
    machine     = optional(object({ type = optional(string, "g2-standard-4"), accelerator = optional(string, "nvidia-l4"), min_replicas = optional(number, 1), max_replicas = optional(number, 2) }), {})
  })
  default = null
}

variable "index" {
  description = "Where vectors are: chroma (a VM of its own), pgvector (the catalogue's PostgreSQL) or files (in the bucket of artefacts)."
  type        = string

  validation {
    condition     = contains(["chroma", "pgvector", "files"], var.index)
    error_message = "index is chroma, pgvector or files."
  }
  validation {
    condition     = var.index != "chroma" || var.images.chroma != ""
    error_message = "With the index chroma, images.chroma is its image."
  }
}

variable "language_model" {
  description = "What writes feedback: none (rules), gemini, vllm (our own, on a GPU) or openai (a server elsewhere, at url); prices per million tokens; batch: whether Gemini writes on classes in one job, for half the price."
  type = object({
    kind         = string
    model        = optional(string, "")
    url          = optional(string, "")
    day_ceiling  = optional(number, 5)
    price_prompt = optional(number, 0)
    price_answer = optional(number, 0)
    batch        = optional(bool, false)
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
  validation {
    condition     = !var.language_model.batch || var.language_model.kind == "gemini"
    error_message = "language_model.batch is for gemini."
  }
}

variable "mail_from" {
  description = "Address that sign-in links are sent from; empty: none are sent. Needs the secret mail-server."
  type        = string
  nullable    = false
  default     = ""
}

variable "secrets" {
  description = "The secrets that have a version by now and are to be used: mail-server, lti-keys (Moodle, Canvas), llm-key. Cloud Run starts nothing whose secret is empty."
  type        = set(string)
  nullable    = false
  default     = []

  validation {
    condition     = length(setsubtract(var.secrets, ["mail-server", "lti-keys", "llm-key"])) == 0
    error_message = "secrets are mail-server, lti-keys and llm-key."
  }
  validation {
    condition     = (var.mail_from == "") == !contains(var.secrets, "mail-server")
    error_message = "mail_from and the secret mail-server go together."
  }
  validation {
    condition     = contains(var.secrets, "llm-key") == contains(["vllm", "openai"], var.language_model.kind)
    error_message = "A language model of the kind vllm or openai needs the secret llm-key, and no other kind does."
  }
}

variable "timetable" {
  description = "When instances of the api and the embedder stand ready: cron expressions in time_zone, some minutes before lessons end (from) and after (until), and how many. Null: never."
  type        = object({ from = list(string), until = list(string), api = optional(number, 6), embedder = optional(number, 2) })
  default     = null
}

variable "catalogue" {
  description = "Its machine; whether one stands by in a second zone, which costs as much again; whether it runs: stopped, only its disk costs; password_version: raised when catalogue_password changes."
  type        = object({ tier = string, standby = optional(bool, false), running = optional(bool, true), password_version = optional(number, 1) })
}

variable "catalogue_password" {
  description = "Password of the catalogue's user: TF_VAR_catalogue_password=$(openssl rand -base64 24). In no state and no plan; read only when catalogue.password_version is raised."
  type        = string
  ephemeral   = true
  sensitive   = true
}

variable "protect" {
  description = "Whether data is kept from being deleted and can be set back; false for a project to be thrown away."
  type        = bool
  nullable    = false
  default     = true
}
