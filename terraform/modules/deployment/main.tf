module "naming" {
  source = "../naming"

  project_id     = var.project_id
  project_number = var.project_number
  environment    = var.environment
  region         = var.region
}

module "sizing" {
  source = "../sizing"

  settings = var.settings
  scale    = var.scale
}

module "project_services" {
  source = "../project_services"
}

module "network" {
  source = "../network"

  name     = module.naming.prefix
  region   = var.region
  internet = var.language_model.kind == "openai" || length(local.sign_in_secrets) > 0 # a mail server, a school's own sign-in, a learning platform

  depends_on = [module.project_services]
}

module "storage" {
  source = "../storage"

  project_id = var.project_id
  region     = var.region
  names      = module.naming.buckets
  site       = local.site
  protect    = var.protect

  depends_on = [module.project_services]
}

module "secrets" {
  source = "../secrets"

  prefix   = module.naming.prefix
  region   = var.region
  names    = setunion(["catalog-password"], local.llm_has_key ? ["llm-key"] : [], values(local.sign_in_secrets))
  versions = { catalog-password = var.catalog_password_version }
  values   = { catalog-password = var.catalog_password }
  protect  = var.protect

  depends_on = [module.project_services]
}

module "catalog" {
  source = "../catalog"

  name             = "${module.naming.prefix}-catalog"
  region           = var.region
  network          = module.network.network
  zone             = module.network.zone
  tier             = var.catalog_tier
  max_connections  = module.sizing.catalog.max_connections
  password         = var.catalog_password
  password_version = var.catalog_password_version
  protect          = var.protect
  standby          = var.protect && var.catalog_standby
  running          = var.catalog_running

  depends_on = [module.network]
}

module "chroma" {
  source = "../chroma"
  count  = var.index == "chroma" ? 1 : 0

  project_id    = var.project_id
  name          = "${module.naming.prefix}-chroma"
  account_id    = module.naming.accounts["chroma"]
  region        = var.region
  zone          = "${var.region}-${var.zone_letter}"
  network       = module.network.network
  subnetwork    = module.network.data_subnetwork
  callers_range = module.network.run_range
  dns_zone      = module.network.zone
  repository    = module.delivery.images
  image         = var.images.chroma
  machine_type  = module.sizing.chroma.machine_type
  disk_gib      = module.sizing.chroma.disk_gib
}

module "queue" {
  source = "../queue"

  project_id                = var.project_id
  name                      = "${module.naming.prefix}-index"
  region                    = var.region
  account_id                = module.naming.accounts["tasks"]
  max_concurrent_dispatches = module.sizing.queue.max_concurrent_dispatches
  max_attempts              = module.sizing.queue.max_attempts

  depends_on = [module.project_services]
}

module "delivery" {
  source = "../delivery"

  project_id          = var.project_id
  prefix              = module.naming.prefix
  environment         = var.environment
  region              = var.region
  archive             = var.functions_archive
  source_bucket       = module.storage.buckets["source"]
  state_bucket        = var.state_bucket
  builder_account_id  = module.naming.accounts["builder"]
  deployer_account_id = module.naming.accounts["deployer"]
  repository          = var.repository
  workloads           = { for each in ["api", "ingest", "nightly", "embedder", "admin"] : each => "projects/${var.project_id}/serviceAccounts/${module.naming.emails[each]}" }

  depends_on = [module.project_services]
}
