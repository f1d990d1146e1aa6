# One school alone: no vector machine, no GPU, no balancer; asleep, the smallest sound catalog is all that costs
# (docs/adr/0059-a-lone-schools-catalog.md). Vectors are files in the bucket, the embedding model runs on CPUs.
module "deployment" {
  source = "../../modules/deployment"

  environment              = "small"
  project_id               = var.project_id
  project_number           = var.project_number
  region                   = var.region
  domain                   = "" # no load balancer: the function's own address
  oncall                   = var.oncall
  operators                = var.operators
  billing_account          = var.billing_account
  monthly_budget           = var.monthly_budget
  time_zone                = var.time_zone
  functions_archive        = var.functions_archive
  state_bucket             = var.state_bucket
  repository               = var.repository
  images                   = var.images
  settings                 = { max_open_requests = 16 }
  scale                    = { api_max = 8, embedder_max = 2, ingest_max = 1, nightly_max = 1 }
  embedder_machine         = { accelerator = "", cpu = 4, memory_gib = 4 }
  index                    = "files"
  language_model           = var.language_model
  timetable                = var.timetable
  catalog_tier             = "db-g1-small"
  catalog_standby          = false
  sign_in                  = var.sign_in
  catalog_password         = var.catalog_password
  catalog_password_version = var.catalog_password_version
  protect                  = true
}
