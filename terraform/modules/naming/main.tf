locals {
  prefix   = "cv-${var.environment}"
  services = toset(["api", "uploaded", "deleted", "nightly", "embedder", "llm"])
  accounts = toset(["api", "ingest", "nightly", "embedder", "llm", "chroma", "admin", "vertex", "tasks", "clock", "warmer", "builder", "deployer"])
  buckets  = toset(["uploads", "artefacts", "results", "source"])
}
