# What settings and scale come to.
locals {
  # Constants of the application that the infrastructure is built for; tests/integration/test_terraform.py compares them.
  application = {
    batch_at_once    = 8
    max_book_bytes   = 209715200
    memory_megabytes = 512
    parse_megabytes  = 2048
    parse_seconds    = 300
    pool             = 4
    receive_seconds  = 1800
    task_attempts    = 50
    task_seconds     = 600
  }

  # Requests of one embedder: as many of people as it answers, half as many tasks (chapterverse.worker), and some to be told 429
  # or asked how it fares (containers/embedder/gunicorn.conf.py).
  tasks_at_once = floor(var.settings.max_open_requests / 2)
  spare         = 16

  sizes = {
    api = { # as many streams as requests, so that those who follow a lecture take no place of those who ask
      cpu             = 2
      memory_mib      = local.application.memory_megabytes + 1536
      concurrency     = 2 * var.settings.max_open_requests + local.spare
      min_instances   = var.scale.api_min
      max_instances   = var.scale.api_max
      timeout_seconds = 600
    }
    ingest = { # one PDF at a time: time and memory for its parser, and 180 s for the rest
      cpu             = 2
      memory_mib      = local.application.parse_megabytes + 1024 + ceil(3 * local.application.max_book_bytes / pow(1024, 2))
      max_instances   = var.scale.ingest_max
      timeout_seconds = local.application.parse_seconds + 180
    }
    nightly = {
      cpu             = 2
      memory_mib      = local.application.memory_megabytes + 1536
      concurrency     = local.application.batch_at_once + 2
      max_instances   = var.scale.nightly_max
      timeout_seconds = local.application.task_seconds + 60
    }
    embedder = { # longer than the queue waits for a scan: no task is without an answer
      cpu             = var.embedder.cpu
      memory_mib      = 1024 * var.embedder.memory_gib
      accelerator     = var.embedder.accelerator
      concurrency     = var.settings.max_open_requests + local.tasks_at_once + local.spare
      min_instances   = var.scale.embedder_min
      max_instances   = var.scale.embedder_max
      timeout_seconds = local.application.receive_seconds + 60
    }
    admin = { cpu = 2, memory_mib = 4096, timeout_seconds = 21600 }
    llm   = { cpu = 8, memory_mib = 32768, accelerator = "nvidia-l4", concurrency = 32, timeout_seconds = 300 }
  }

  # Tasks at once: a share of what all embedders take, and the essays of the night, which wait for a language model most of the time.
  task_slots = local.tasks_at_once * var.scale.embedder_max
  dispatches = floor(local.task_slots * var.scale.bulk_share) + local.application.batch_at_once * var.scale.nightly_max
  queue = {
    max_concurrent_dispatches = max(1, min(local.task_slots, local.dispatches))
    max_attempts              = local.application.task_attempts + 5 # the application counts and gives up first, and says so on the book
  }

  # What is claimed holds a connection beyond the pool: an essay of the night one, a task its book and version.
  connections = (
    var.scale.api_max * local.application.pool
    + var.scale.nightly_max * (local.application.pool + local.application.batch_at_once)
    + var.scale.embedder_max * (local.application.pool + 2 * local.tasks_at_once + 1) # and a file that is being read
    + 3 * var.scale.ingest_max
    + 10 # for the operator, migrations and Cloud SQL itself
  )
  catalogue_mib         = var.catalogue.tier == "db-g1-small" ? 1740 : try(tonumber(regex("^db-custom-[0-9]+-([0-9]+)$", var.catalogue.tier)[0]), 0)
  connections_a_gib     = 65 # Cloud SQL's own defaults: 27 to 53
  connections_that_hold = floor(local.catalogue_mib / 1024 * local.connections_a_gib)

  # Vectors of float32 with the graph's links and S1's metadata take about three times their bare size in memory.
  sentences_of_a_book = 7500
  vectors             = var.scale.schools * var.settings.max_books * local.sentences_of_a_book
  index_gib           = ceil(local.vectors * var.embedder.dimensions * 4 * 3 / pow(1024, 3))
  chroma_machines     = { "e2-medium" = 2, "e2-standard-2" = 6, "e2-standard-4" = 14, "e2-standard-8" = 30, "e2-highmem-8" = 60, "e2-highmem-16" = 124 }
  large_enough        = { for name, gib in local.chroma_machines : format("%03d", gib) => name if gib >= local.index_gib }
}
