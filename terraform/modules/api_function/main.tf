module "function" {
  source = "../function"

  project_id      = var.project_id
  name            = var.name
  description     = "The HTTP interface."
  region          = var.region
  entry_point     = "api"
  source_code     = var.source_code
  service_account = module.workload.email
  secrets         = var.secrets
  leaves_through  = var.leaves_through
  size            = var.size
  gradual         = true
  ingress         = var.behind_balancer ? "ALLOW_INTERNAL_AND_GCLB" : "ALLOW_ALL"
  invokers        = { everybody = "allUsers" } # a balancer carries no identity; the application asks each caller for a key

  environment = merge(var.environment, {
    CHAPTERVERSE_HOME = "/tmp/chapterverse"
    THREADS           = tostring(var.size.concurrency) # of functions-framework; more than are answered, so that somebody says 429
  })

  depends_on = [module.workload] # its grants
}
