# What runs our code: one image, several programs, each with its identity and what that may do.
module "service" {
  source   = "./modules/service"
  for_each = local.programs

  place         = local.place
  name          = each.key
  title         = each.value.title
  url           = lookup(local.urls, each.key, "")
  image         = lookup(each.value, "image", var.images.app)
  command       = each.value.command
  environment   = each.value.environment
  secrets       = each.value.secrets
  network       = local.network
  size          = local.sizes[lookup(each.value, "size", each.key)]
  ingress       = lookup(each.value, "ingress", "INGRESS_TRAFFIC_INTERNAL_ONLY")
  open          = each.key == "api"
  ready         = lookup(each.value, "ready", null)
  metrics_image = each.key == "embedder" ? var.images.metrics : ""
  protect       = var.protect
  job           = each.key == "admin"
  grants = {
    buckets    = { for bucket, role in lookup(each.value, "buckets", {}) : module.data.buckets[bucket] => role }
    project    = lookup(each.value, "project", {})
    queue      = each.key == "llm" ? null : { name = module.data.queue.name, account = module.data.queue.account.name }
    signs      = contains(["api", "admin"], each.key)
    acted_by   = local.released
    invoked_by = lookup(local.invoked_by, each.key, {})
  }

  depends_on = [module.project]
}

locals {
  members = { for each in ["api", "nightly", "admin", "uploaded", "deleted"] : each => "serviceAccount:${local.prefix}-${each}@${var.project_id}.iam.gserviceaccount.com" }
  tasks   = { tasks = module.data.queue.account.member }
  invoked_by = {
    embedder = local.tasks
    nightly  = local.tasks
    uploaded = { events = google_service_account.events.member }
    deleted  = { events = google_service_account.events.member }
  }
  ours_call = { # these accounts are made with the services themselves, so they are let in afterwards
    for pair in concat(
      [for each in ["api", "nightly", "admin", "uploaded", "deleted"] : { caller = each, service = "embedder" }],
      var.language_model.kind == "vllm" ? [for each in ["api", "nightly", "admin"] : { caller = each, service = "llm" }] : [],
    ) : "${pair.caller}-${pair.service}" => pair
  }

  function = { for target in ["api", "on_book_uploaded", "on_book_deleted", "run_nightly_batches"] : target => ["functions-framework", "--source", "/srv/main.py", "--target", target] }
  programs = merge(
    {
      api = {
        title       = "Answers students and teachers."
        command     = local.function.api
        environment = merge(local.with_remote_embedder, local.llm_environment, local.people, { THREADS = tostring(local.sizes.api.concurrency) }) # more than are answered: a thread is free to say 429
        secrets     = merge(local.database, local.llm_secrets, local.people_secrets)
        buckets     = { uploads = "objectUser", artefacts = "objectUser", results = "objectUser" } # signed addresses, corrections, batches
        project     = local.gemini
        ready       = { path = "/ready" }
        ingress     = var.domain == "" ? "INGRESS_TRAFFIC_ALL" : "INGRESS_TRAFFIC_INTERNAL_LOAD_BALANCER"
      }
      uploaded = {
        title       = "Reads a file that was stored, and divides its indexing into tasks."
        command     = local.function.on_book_uploaded
        environment = local.with_remote_embedder
        secrets     = local.database
        buckets     = { uploads = "objectViewer", artefacts = "objectUser" }
        size        = "ingest"
      }
      deleted = {
        title       = "Removes the book of a file that is gone."
        command     = local.function.on_book_deleted
        environment = local.with_remote_embedder
        secrets     = local.database
        buckets     = { uploads = "objectViewer", artefacts = "objectUser" }
        size        = "ingest"
      }
      nightly = {
        title   = "Does overnight what nobody waits for."
        command = local.function.run_nightly_batches
        environment = merge(local.with_remote_embedder, local.llm_environment, local.people, {
          CHAPTERVERSE_ALLOWED_CALLERS = join(",", [for each in ["clock", "tasks"] : "${local.prefix}-${each}@${var.project_id}.iam.gserviceaccount.com"])
          THREADS                      = tostring(local.sizes.nightly.concurrency)
        })
        secrets = merge(local.database, local.llm_secrets, { for name, secret in local.people_secrets : name => secret if name == "CHAPTERVERSE_LTI_KEYS" }) # it reports to learning platforms
        buckets = { artefacts = "objectViewer", results = "objectUser" }
        project = local.gemini
      }
      embedder = {
        title   = "The embedding model: texts to vectors, for people and for books; does the tasks of books."
        command = ["gunicorn", "--config", "/srv/gunicorn.conf.py", "chapterverse.worker:app()"]
        image   = var.images.gpu == "" ? var.images.app : var.images.gpu
        environment = merge(local.environment, {
          CHAPTERVERSE_EMBEDDER        = var.vertex_endpoint != null ? "vertex" : var.embedder.accelerator != "" ? "sentence-transformers" : "onnx"
          CHAPTERVERSE_EMBEDDER_URL    = local.vertex_url
          CHAPTERVERSE_ALLOWED_CALLERS = join(",", [for each in ["tasks", "api", "nightly", "admin", "uploaded", "deleted"] : "${local.prefix}-${each}@${var.project_id}.iam.gserviceaccount.com"])
        })
        secrets = local.database
        buckets = { uploads = "objectViewer", artefacts = "objectUser" }
        project = var.images.metrics == "" ? {} : { writes_metrics = "roles/monitoring.metricWriter" }
        ready   = { path = "/ready" }
      }
      admin = {
        title       = "The command line within the network: keys, indexes, a school that leaves."
        command     = ["chapterverse"]
        environment = merge(local.with_remote_embedder, local.llm_environment, local.people) # `people invite` prints links, `doctor` tries all
        secrets     = merge(local.database, local.llm_secrets, local.people_secrets)
        project     = local.gemini
        buckets     = { uploads = "objectUser", artefacts = "objectUser", results = "objectUser" } # a school that leaves takes everything along
      }
    },
    var.language_model.kind != "vllm" ? {} : {
      llm = {
        title       = "A language model of our own: vLLM, which speaks OpenAI's chat completions."
        image       = var.images.llm
        command     = ["/bin/sh", "/opt/chapterverse/start.sh"]
        environment = { MODEL = var.language_model.model, MAX_NUM_SEQS = tostring(local.sizes.llm.concurrency) }
        secrets     = { VLLM_API_KEY = module.data.secrets["llm-key"] }
        ready       = { path = "/health", period_seconds = 20, failures = 30 } # several GB of weights
      }
    },
  )

  gemini = { for role in google_project_iam_custom_role.asks_gemini : "asks_gemini" => role.name }

  # The names are those of settings.py, and a test makes its Settings of what is planned.
  environment = merge({ for name, value in var.settings : "CHAPTERVERSE_${upper(name)}" => tostring(value) }, {
    GOOGLE_CLOUD_PROJECT         = var.project_id
    CHAPTERVERSE_ARTEFACTS       = "gs://${module.data.buckets.artefacts}"
    CHAPTERVERSE_UPLOADS         = "gs://${module.data.buckets.uploads}"
    CHAPTERVERSE_RESULTS         = "gs://${module.data.buckets.results}"
    CHAPTERVERSE_CATALOG         = module.data.catalogue.address
    CHAPTERVERSE_INDEX           = { chroma = one(module.chroma[*].address), pgvector = "pgvector", files = "" }[var.index]
    CHAPTERVERSE_QUEUE           = module.data.queue.path
    CHAPTERVERSE_TASKS_URL       = local.urls.embedder
    CHAPTERVERSE_BATCH_URL       = local.urls.nightly
    CHAPTERVERSE_TASKS_ACCOUNT   = module.data.queue.account.email
    CHAPTERVERSE_EMBEDDING_MODEL = var.embedder.model
  })
  vertex_url = var.vertex_endpoint == null ? "" : "https://${var.region}-aiplatform.googleapis.com/v1/projects/${var.project_id}/locations/${var.region}/endpoints/${var.vertex_endpoint.endpoint_id}"
  with_remote_embedder = merge(local.environment, {
    CHAPTERVERSE_EMBEDDER     = var.vertex_endpoint == null ? "remote" : "vertex"
    CHAPTERVERSE_EMBEDDER_URL = var.vertex_endpoint == null ? local.urls.embedder : local.vertex_url
  })
  database = { PGPASSWORD = module.data.secrets["catalog-password"] }

  # Gemini 3 stays in Europe only at the location of the whole European Union (tests/unit/core/test_hosted_models.py).
  gemini_location = startswith(var.region, "europe-") ? "eu" : startswith(var.region, "us-") ? "us" : "global"
  llm_environments = {
    none   = {}
    gemini = var.language_model.batch ? { CHAPTERVERSE_LLM_TASKS = "batch" } : {}
    vllm   = { CHAPTERVERSE_LLM_URL = "${local.urls.llm}/v1" }
    openai = { CHAPTERVERSE_LLM_URL = var.language_model.url }
  }
  llm_environment = var.language_model.kind == "none" ? {} : merge(local.llm_environments[var.language_model.kind], {
    CHAPTERVERSE_LLM_MODEL            = var.language_model.kind == "gemini" ? "projects/${var.project_id}/locations/${local.gemini_location}/publishers/google/models/${var.language_model.model}" : var.language_model.model
    CHAPTERVERSE_MAX_LLM_COST_PER_DAY = tostring(var.language_model.day_ceiling)
    CHAPTERVERSE_LLM_PRICES           = "${var.language_model.price_prompt},${var.language_model.price_answer}"
  })
  llm_secrets = contains(var.secrets, "llm-key") ? { CHAPTERVERSE_LLM_KEY = module.data.secrets["llm-key"] } : {}

  people         = { CHAPTERVERSE_SITE_URL = local.site, CHAPTERVERSE_MAIL_FROM = var.mail_from }
  people_secrets = { for secret, name in { mail-server = "CHAPTERVERSE_MAIL_SERVER", lti-keys = "CHAPTERVERSE_LTI_KEYS" } : name => module.data.secrets[secret] if contains(var.secrets, secret) }
}

resource "google_cloud_run_v2_service_iam_member" "ours_call" {
  for_each = local.ours_call

  name     = module.service[each.value.service].name
  location = var.region
  role     = "roles/run.invoker"
  member   = module.service[each.value.caller].account.member
}

resource "google_cloud_run_v2_service_iam_member" "clock_calls" {
  name     = module.service["nightly"].name
  location = var.region
  role     = "roles/run.invoker"
  member   = module.events.clock.member
}
