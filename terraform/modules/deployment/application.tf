# What runs our code: the embedder, the functions, and a language model of our own where one is wanted.

module "embedder" {
  source = "../embedder"

  project_id     = var.project_id
  name           = module.naming.services["embedder"]
  region         = var.region
  account_id     = module.naming.accounts["embedder"]
  url            = module.naming.urls["embedder"]
  image          = var.images.embedder
  metrics_image  = var.images.metrics
  machine        = var.embedder_machine
  size           = module.sizing.embedder
  task_seconds   = module.sizing.application.receive_seconds
  environment    = local.environment
  secrets        = local.secrets
  leaves_through = module.network.run
  buckets        = module.storage.buckets
  queue          = module.queue
  invokers       = { for each in ["tasks", "api", "nightly", "admin"] : each => "serviceAccount:${module.naming.emails[each]}" }
  protect        = var.protect
  vertex_url     = local.vertex_url

  depends_on = [module.api_function, module.scheduler, module.admin] # whose accounts it lets in
}

module "vertex_endpoint" {
  source = "../vertex_endpoint"
  count  = var.vertex_endpoint == null ? 0 : 1

  project_id  = var.project_id
  name        = "${module.naming.prefix}-embeddings"
  endpoint_id = var.vertex_endpoint.endpoint_id
  region      = var.region
  account_id  = module.naming.accounts["vertex"]
  image       = var.vertex_endpoint.image
  machine     = var.vertex_endpoint.machine
  invokers    = { for each in ["embedder", "api", "nightly", "admin"] : each => "serviceAccount:${module.naming.emails[each]}" }

  depends_on = [module.project_services]
}

module "admin" {
  source = "../admin"

  project_id     = var.project_id
  name           = "${module.naming.prefix}-admin"
  region         = var.region
  account_id     = module.naming.accounts["admin"]
  image          = var.images.embedder
  operators      = var.operators
  environment    = merge(local.with_remote_embedder, local.sign_in_environment) # `people invite` prints links
  secrets        = local.secrets
  leaves_through = module.network.run
  buckets        = module.storage.buckets
  queue          = module.queue

  depends_on = [module.project_services]
}

module "ingest_function" {
  source = "../ingest_function"

  project_id     = var.project_id
  names          = { uploaded = module.naming.services["uploaded"], deleted = module.naming.services["deleted"] }
  region         = var.region
  account_id     = module.naming.accounts["ingest"]
  source_code    = module.delivery.source_code
  environment    = local.with_remote_embedder
  secrets        = local.secrets
  leaves_through = module.network.run
  buckets        = module.storage.buckets
  queue          = module.queue
  size           = module.sizing.ingest
  task_seconds   = module.sizing.application.task_seconds

  depends_on = [module.storage] # its grant to send events
}

module "api_function" {
  source = "../api_function"

  project_id      = var.project_id
  name            = module.naming.services["api"]
  region          = var.region
  account_id      = module.naming.accounts["api"]
  source_code     = module.delivery.source_code
  environment     = merge(local.with_remote_embedder, local.llm_environment, local.sign_in_environment)
  secrets         = merge(local.secrets, local.llm_secrets, { for name, secret in local.sign_in_secrets : name => module.secrets.references[secret] })
  leaves_through  = module.network.run
  buckets         = module.storage.buckets
  queue           = module.queue
  size            = module.sizing.api
  behind_balancer = var.domain != ""
  gemini_role     = local.gemini_role
}

module "scheduler" {
  source = "../scheduler"

  project_id       = var.project_id
  name             = module.naming.services["nightly"]
  url              = module.naming.urls["nightly"]
  region           = var.region
  account_id       = module.naming.accounts["nightly"]
  clock_account_id = module.naming.accounts["clock"]
  time_zone        = var.time_zone
  source_code      = module.delivery.source_code
  environment      = merge(local.with_remote_embedder, local.llm_environment, local.sign_in_environment)
  secrets          = merge(local.secrets, local.llm_secrets, local.platform_secrets) # it reports to learning platforms
  leaves_through   = module.network.run
  buckets          = module.storage.buckets
  queue            = module.queue
  size             = module.sizing.nightly
  task_seconds     = module.sizing.application.task_seconds
  gemini_role      = local.gemini_role
}

module "prewarm" {
  source = "../prewarm"
  count  = var.timetable == null ? 0 : 1

  project_id = var.project_id
  region     = var.region
  name       = "${module.naming.prefix}-warm"
  account_id = module.naming.accounts["warmer"]
  time_zone  = var.time_zone
  from       = var.timetable.from
  until      = var.timetable.until
  services = { for each in ["api", "embedder"] : each => {
    name      = module.naming.services[each]
    identity  = "projects/${var.project_id}/serviceAccounts/${module.naming.emails[each]}"
    instances = var.timetable[each]
  } }

  depends_on = [module.api_function, module.embedder]
}

module "llm" {
  source = "../llm"
  count  = var.language_model.kind == "vllm" ? 1 : 0

  name           = module.naming.services["llm"]
  region         = var.region
  account_id     = module.naming.accounts["llm"]
  image          = var.images.llm
  url            = module.naming.urls["llm"]
  model          = var.language_model.model
  invokers       = { for each in ["api", "nightly"] : each => "serviceAccount:${module.naming.emails[each]}" }
  key            = module.secrets.references["llm-key"]
  leaves_through = module.network.run
  protect        = var.protect

  depends_on = [module.api_function, module.scheduler] # whose accounts it lets in
}

# One permission, not the nine hundred of roles/aiplatform.user.
resource "google_project_iam_custom_role" "asks_gemini" {
  count = var.language_model.kind == "gemini" ? 1 : 0

  role_id     = "${replace(module.naming.prefix, "-", "_")}_asks_gemini"
  title       = "Chapterverse: asks Gemini"
  permissions = ["aiplatform.endpoints.predict"]
}

locals {
  gemini_role = one([for role in google_project_iam_custom_role.asks_gemini : "projects/${var.project_id}/roles/${role.role_id}"])
  # Gemini 3 stays in Europe only at the location of the whole European Union, core/hosted_models.py
  gemini_location = startswith(var.region, "europe-") ? "eu" : startswith(var.region, "us-") ? "us" : "global"
  llm_has_key     = contains(["vllm", "openai"], var.language_model.kind)

  # The names are those of settings.py, and a test makes its Settings of what is planned.
  environment = merge(module.sizing.environment, local.embedding_before, {
    GOOGLE_CLOUD_PROJECT         = var.project_id
    CHAPTERVERSE_ARTEFACTS       = "gs://${module.storage.buckets["artefacts"]}"
    CHAPTERVERSE_UPLOADS         = "gs://${module.storage.buckets["uploads"]}"
    CHAPTERVERSE_RESULTS         = "gs://${module.storage.buckets["results"]}"
    CHAPTERVERSE_CATALOG         = module.catalog.address
    CHAPTERVERSE_INDEX           = { chroma = one(module.chroma[*].address), pgvector = "pgvector", files = "" }[var.index]
    CHAPTERVERSE_QUEUE           = module.queue.path
    CHAPTERVERSE_TASKS_URL       = module.naming.urls["embedder"]
    CHAPTERVERSE_BATCH_URL       = module.naming.urls["nightly"]
    CHAPTERVERSE_TASKS_ACCOUNT   = module.queue.account.email
    CHAPTERVERSE_EMBEDDING_MODEL = var.embedding_model
  })
  embedding_before = var.embedding_before == null ? {} : {
    CHAPTERVERSE_EMBEDDER_BEFORE = jsonencode({ model = var.embedding_before.model, url = var.embedding_before.url, dimensions = var.embedding_before.dimensions })
  }
  vertex_url = var.vertex_endpoint == null ? "" : module.vertex_endpoint[0].url
  with_remote_embedder = merge(local.environment, {
    CHAPTERVERSE_EMBEDDER     = var.vertex_endpoint == null ? "remote" : "vertex"
    CHAPTERVERSE_EMBEDDER_URL = var.vertex_endpoint == null ? module.naming.urls["embedder"] : local.vertex_url
  })
  secrets = { PGPASSWORD = module.secrets.references["catalog-password"] }

  llm_environments = {
    none   = {}
    gemini = { CHAPTERVERSE_LLM = "gemini" }
    vllm   = { CHAPTERVERSE_LLM = "cloud-run", CHAPTERVERSE_LLM_URL = "${module.naming.urls["llm"]}/v1" }
    openai = { CHAPTERVERSE_LLM = "openai", CHAPTERVERSE_LLM_URL = var.language_model.url }
  }
  llm_environment = var.language_model.kind == "none" ? {} : merge(local.llm_environments[var.language_model.kind], {
    CHAPTERVERSE_LLM_MODEL            = var.language_model.kind == "gemini" ? "projects/${var.project_id}/locations/${local.gemini_location}/publishers/google/models/${var.language_model.model}" : var.language_model.model
    CHAPTERVERSE_MAX_LLM_COST_PER_DAY = tostring(var.language_model.day_ceiling)
    CHAPTERVERSE_LLM_PRICES           = "${var.language_model.price_prompt},${var.language_model.price_answer}"
  })
  llm_secrets = local.llm_has_key ? { CHAPTERVERSE_LLM_KEY = module.secrets.references["llm-key"] } : {}

  site = var.domain == "" ? module.naming.urls["api"] : "https://${var.domain}"
  sign_in_environment = {
    CHAPTERVERSE_SITE_URL  = local.site
    CHAPTERVERSE_MAIL_FROM = var.sign_in.mail_from
  }
  platform_secrets = var.sign_in.platforms ? { CHAPTERVERSE_LTI_KEYS = module.secrets.references["lti-keys"] } : {}
  sign_in_secrets = merge(
    var.sign_in.mail_from == "" ? {} : { CHAPTERVERSE_MAIL_SERVER = "mail-server" },
    var.sign_in.schools ? { CHAPTERVERSE_OIDC_SECRETS = "oidc-secrets" } : {},
    var.sign_in.platforms ? { CHAPTERVERSE_LTI_KEYS = "lti-keys" } : {},
  )
}
