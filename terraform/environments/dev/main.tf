# Everything scales to zero; what is left at night is a small PostgreSQL, which holds the vectors, too.
module "deployment" {
  source = "../../modules/deployment"

  environment              = "dev"
  project_id               = var.project_id
  project_number           = var.project_number
  region                   = var.region
  domain                   = "" # no load balancer: the function's own address
  oncall                   = var.oncall
  operators                = var.operators
  billing_account          = var.billing_account
  monthly_budget           = 50
  time_zone                = var.time_zone
  functions_archive        = var.functions_archive
  state_bucket             = var.state_bucket
  repository               = var.repository
  images                   = var.images
  settings                 = { max_open_requests = 16 }
  scale                    = { api_max = 1, ingest_max = 1, nightly_max = 1 }
  embedder_machine         = { accelerator = "", cpu = 4, memory_gib = 8 }
  index                    = "pgvector"
  catalog_tier             = "db-g1-small"
  catalog_running          = var.catalog_running
  sign_in                  = var.sign_in
  catalog_password         = var.catalog_password
  catalog_password_version = var.catalog_password_version
  protect                  = false
}
