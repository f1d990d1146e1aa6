output "settings" {
  description = "The settings with their defaults."
  value       = var.settings
}

output "application" {
  description = "Constants of the application, by the names that they have in this module."
  value       = local.application
}

output "scale" {
  description = "The scale with its defaults."
  value       = var.scale
}

output "environment" {
  description = "The settings as the application is told them."
  value       = { for name, value in var.settings : "CHAPTERVERSE_${upper(name)}" => tostring(value) }
}

output "api" {
  description = "The api function: room for who is answered and for who is told 429."
  value = {
    concurrency     = var.settings.max_open_requests + local.spare
    cpu             = 2
    memory_mib      = local.application.memory_megabytes + 1536
    min_instances   = var.scale.api_min
    max_instances   = var.scale.api_max
    timeout_seconds = 60
  }
}

output "ingest" {
  description = "The functions that storage events call: one PDF at a time, time and memory for its parser and 180 s for the rest."
  value = {
    concurrency     = 1
    cpu             = 2
    memory_mib      = local.application.parse_megabytes + 1024 + ceil(3 * local.application.max_book_bytes / local.mib)
    max_instances   = var.scale.ingest_max
    timeout_seconds = local.application.parse_seconds + 180
  }
}

output "nightly" {
  description = "The function that works overnight: essays that come as tasks, and somebody to begin them."
  value = {
    concurrency     = local.application.batch_at_once + 2
    cpu             = 2
    memory_mib      = local.application.memory_megabytes + 1536
    max_instances   = var.scale.nightly_max
    timeout_seconds = local.application.task_seconds + 60
  }
}

output "embedder" {
  description = "The embedder: its time is longer than the queue waits for a scan, so that a task is never answered for by nobody."
  value = {
    concurrency     = var.settings.max_open_requests + local.tasks_at_once + local.spare
    min_instances   = var.scale.embedder_min
    max_instances   = var.scale.embedder_max
    timeout_seconds = local.application.receive_seconds + 60
  }
}

output "queue" {
  description = "How fast tasks are delivered: never more at once than all embedders take, or they would turn them away."
  value = {
    max_concurrent_dispatches = max(1, min(local.task_slots, local.dispatches))
    max_attempts              = local.application.task_attempts + 5 # the application counts and gives up first, and says so on the book
  }
}

output "chroma" {
  description = "The VM that holds the vectors of all schools in memory, and its disk."
  value = {
    machine_type = try(local.large_enough[sort(keys(local.large_enough))[0]], null)
    disk_gib     = max(20, 4 * local.index_gib)
    index_gib    = local.index_gib
  }

  precondition {
    condition     = length(local.large_enough) > 0
    error_message = "One VM does not hold the index of so many schools in memory: set index to pgvector, or run distributed Chroma."
  }
}

output "catalog" {
  description = "Connections that all instances may open together."
  value       = { max_connections = local.connections }
}

output "edge" {
  description = "Requests a minute from one address. A whole school may share one, so it is that of 50 keys; keys have limits of their own."
  value       = { requests_per_minute = 50 * var.settings.requests_per_minute }
}
