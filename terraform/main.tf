# One deployment: what Google keeps for us, what runs our code, what people see of it.
locals {
  prefix   = "cv-${var.name}"
  place    = { project_id = var.project_id, project_number = var.project_number, prefix = local.prefix, region = var.region }
  labels   = { product = "chapterverse", environment = var.name, managed-by = "terraform" }
  services = toset(["api", "uploaded", "deleted", "nightly", "embedder", "llm"])
  names    = { for each in local.services : each => "${local.prefix}-${each}" }
  urls     = { for each in local.services : each => "https://${local.prefix}-${each}-${var.project_number}.${var.region}.run.app" } # Cloud Run's deterministic form
  site     = var.domain == "" ? local.urls.api : "https://${var.domain}"
  network  = { id = module.network.network.id, run_subnetwork = module.network.network.run_subnetwork }
  released = { deployer = module.delivery.deployer.member }
}

module "project" {
  source = "./modules/project"

  place = local.place
  more  = concat(var.language_model.kind == "gemini" || var.vertex_endpoint != null ? ["aiplatform"] : [], var.budget.account == "" ? [] : ["billingbudgets"])
}

module "network" {
  source = "./modules/network"

  place    = local.place
  internet = var.language_model.kind == "openai" || length(setsubtract(var.secrets, ["llm-key"])) > 0 # a mail server, a school's own sign-in, a learning platform

  depends_on = [module.project]
}

module "data" {
  source = "./modules/data"

  place     = local.place
  site      = local.site
  protect   = var.protect
  network   = { id = module.network.network.id, zone = module.network.network.zone }
  catalogue = { tier = var.catalogue.tier, standby = var.protect && var.catalogue.standby, running = var.catalogue.running, max_connections = local.connections, password_version = var.catalogue.password_version }
  queue     = local.queue
  password  = var.catalogue_password

  depends_on = [module.project]
}

module "delivery" {
  source = "./modules/delivery"

  place      = local.place
  repository = var.repository

  depends_on = [module.project]
}

module "chroma" {
  source = "./modules/chroma"
  count  = var.index == "chroma" ? 1 : 0

  place      = local.place
  network    = module.network.network
  repository = module.delivery.repository
  machine    = { image = var.images.chroma, type = try(local.large_enough[sort(keys(local.large_enough))[0]], "none"), disk_gib = max(20, 4 * local.index_gib) }

  depends_on = [module.project]
}

module "gpu" {
  source = "./modules/gpu"
  count  = var.vertex_endpoint == null ? 0 : 1

  place    = local.place
  endpoint = var.vertex_endpoint
  invokers = { for each in ["embedder", "api", "nightly", "admin"] : each => module.service[each].account.member }

  depends_on = [module.project]
}

module "events" {
  source = "./modules/events"

  place          = local.place
  time_zone      = var.time_zone
  uploads        = module.data.buckets.uploads
  receivers      = { uploaded = module.service["uploaded"].name, deleted = module.service["deleted"].name }
  events_account = { email = google_service_account.events.email, member = google_service_account.events.member }
  nightly        = { url = local.urls.nightly, timeout_seconds = local.sizes.nightly.timeout_seconds }
  timetable      = var.timetable
  warmed         = { for each in ["api", "embedder"] : each => { name = local.names[each], account = module.service[each].account.name } }

  depends_on = [module.project]
}

resource "google_service_account" "events" {
  account_id   = "${local.prefix}-events"
  display_name = "Chapterverse: events"
  description  = "Its token goes with each event; calls the two services that take files."

  depends_on = [module.project]
}

module "edge" {
  source = "./modules/edge"
  count  = var.domain == "" ? 0 : 1

  place               = local.place
  service             = module.service["api"].name
  domain              = var.domain
  requests_per_minute = 50 * var.settings.requests_per_minute # a school may share an address; keys have limits of their own

  depends_on = [module.project]
}

module "watching" {
  source = "./modules/watching"

  place       = local.place
  oncall      = var.oncall
  domain      = var.domain
  watched     = { services = local.names, queue = module.data.queue.name, catalogue = module.data.catalogue.instance }
  day_ceiling = contains(["gemini", "openai"], var.language_model.kind) ? var.language_model.day_ceiling * var.scale.schools : 0
  prices      = { prompt = var.language_model.price_prompt, answer = var.language_model.price_answer }
  budget      = var.budget

  depends_on = [module.project]
}

# An execution names a command of its own ("with overrides"); to see what became of it, and what it wrote, is a matter of the project.
resource "google_cloud_run_v2_job_iam_member" "operators" {
  for_each = var.operators

  name     = module.service["admin"].name
  location = var.region
  role     = "roles/run.jobsExecutorWithOverrides"
  member   = each.value
}

resource "google_project_iam_member" "operators" {
  for_each = { for pair in setproduct(var.operators, ["roles/run.viewer", "roles/logging.viewer"]) : join(" ", pair) => { member = pair[0], role = pair[1] } }

  project = var.project_id
  role    = each.value.role
  member  = each.value.member

  depends_on = [module.project]
}

# Only what is used of Google's models, not the nine hundred permissions of roles/aiplatform.user; they have no narrower place.
resource "google_project_iam_custom_role" "asks_gemini" {
  count = var.language_model.kind == "gemini" ? 1 : 0

  role_id = "${replace(local.prefix, "-", "_")}_asks_gemini"
  title   = "Chapterverse: asks Gemini"
  permissions = concat(
    ["aiplatform.endpoints.predict"],
    var.language_model.batch ? [for verb in ["cancel", "create", "get", "list"] : "aiplatform.batchPredictionJobs.${verb}"] : [],
  )

  depends_on = [module.project]
}
