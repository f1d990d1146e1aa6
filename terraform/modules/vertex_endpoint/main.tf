resource "google_vertex_ai_endpoint" "this" {
  name         = var.endpoint_id
  display_name = var.name
  description  = "The embedding model as a managed endpoint: texts to vectors, for people and for books."
  location     = var.region
  region       = var.region
}

locals {
  path = "projects/${var.project_id}/locations/${var.region}/endpoints/${google_vertex_ai_endpoint.this.name}"
  machine = join(" ", concat(
    ["--machine-type=${var.machine.type}", "--min-replica-count=${var.machine.min_replicas}", "--max-replica-count=${var.machine.max_replicas}"],
    var.machine.accelerator == "" ? [] : ["--accelerator=type=${var.machine.accelerator},count=1"],
  ))
}
