# What people and operators see of it.

module "edge" {
  source = "../edge"
  count  = var.domain == "" ? 0 : 1

  name                = module.naming.prefix
  region              = var.region
  service             = module.api_function.name
  domain              = var.domain
  requests_per_minute = module.sizing.edge.requests_per_minute
}

module "observability" {
  source = "../observability"

  project_id = var.project_id
  prefix     = module.naming.prefix
  region     = var.region
  oncall     = var.oncall
  domain     = var.domain
  services   = { api = module.naming.services["api"], embedder = module.naming.services["embedder"] }
  queue      = module.queue.name
  catalog    = module.catalog.instance

  day_ceiling = contains(["gemini", "openai"], var.language_model.kind) ? var.language_model.day_ceiling * module.sizing.scale.schools : 0
}

module "budget" {
  source = "../budget"

  name            = module.naming.prefix
  billing_account = var.billing_account
  project_number  = var.project_number
  amount          = var.monthly_budget
  currency        = var.currency
  channels        = [module.observability.channel]
}
