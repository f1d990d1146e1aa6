# One to a few schools: one instance of the api is always there, the rest scales to zero at night.
module "deployment" {
  source = "../../modules/deployment"

  environment              = "prod"
  project_id               = var.project_id
  project_number           = var.project_number
  region                   = var.region
  domain                   = var.domain
  oncall                   = var.oncall
  operators                = var.operators
  billing_account          = var.billing_account
  monthly_budget           = var.monthly_budget
  time_zone                = var.time_zone
  functions_archive        = var.functions_archive
  state_bucket             = var.state_bucket
  repository               = var.repository
  images                   = var.images
  scale                    = merge({ api_min = 1, api_max = 6, embedder_max = 2 }, var.scale)
  embedder_machine         = { accelerator = "nvidia-l4", cpu = 4, memory_gib = 16 }
  index                    = "chroma"
  language_model           = var.language_model
  vertex_endpoint          = var.vertex_endpoint
  catalog_tier             = "db-custom-4-15360"
  sign_in                  = var.sign_in
  catalog_password         = var.catalog_password
  catalog_password_version = var.catalog_password_version
  protect                  = true
}
