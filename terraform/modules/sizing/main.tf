locals {
  # Constants of the application that the infrastructure is built for; tests/integration/test_terraform.py compares them.
  application = {
    batch_at_once    = 8
    max_book_bytes   = 209715200
    memory_megabytes = 512
    parse_megabytes  = 2048
    parse_seconds    = 300
    receive_seconds  = 1800
    task_attempts    = 50
    task_seconds     = 600
  }

  mib = 1024 * 1024

  # Requests of one embedder: as many of people as it answers, half as many tasks (chapterverse.worker), and some to be told 429
  # or asked how it fares (containers/embedder/gunicorn.conf.py).
  tasks_at_once = floor(var.settings.max_open_requests / 2)
  spare         = 16

  # Tasks at once: a share of what all embedders take, and the essays of the night, which wait for a language model most of the time.
  task_slots = local.tasks_at_once * var.scale.embedder_max
  dispatches = floor(local.task_slots * var.scale.bulk_share) + local.application.batch_at_once * var.scale.nightly_max

  # SQLAlchemy keeps 5 connections and opens 10 more; all stores of an instance share them (chapterverse.composition). What is
  # claimed holds a connection of its own (chapterverse.infrastructure.sql.engine): an essay of the night one, a task its book and version.
  pool = 15
  connections = (
    var.scale.api_max * local.pool
    + var.scale.nightly_max * (local.pool + local.application.batch_at_once)
    + var.scale.embedder_max * (local.pool + 2 * local.tasks_at_once + 1) # and a file that is being read
    + 3 * var.scale.ingest_max
    + 10 # for the operator, migrations and Cloud SQL itself
  )

  # Vectors of float32 with the graph's links and S1's metadata take about three times their bare size in memory (docs/vector-index.md).
  sentences_of_a_book = 7500
  vectors             = var.scale.schools * var.settings.max_books * local.sentences_of_a_book
  index_gib           = ceil(local.vectors * var.settings.embedder_dimensions * 4 * 3 / pow(1024, 3))
  chroma_machines     = { "e2-medium" = 2, "e2-standard-2" = 6, "e2-standard-4" = 14, "e2-standard-8" = 30, "e2-highmem-8" = 60, "e2-highmem-16" = 124 }
  large_enough        = { for name, gib in local.chroma_machines : format("%03d", gib) => name if gib >= local.index_gib }
}
