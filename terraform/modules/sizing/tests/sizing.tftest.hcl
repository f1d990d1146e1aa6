run "what_is_said_nothing_about_fits_one_school" {
  command = plan

  assert {
    condition     = output.ingest.timeout_seconds < output.application.task_seconds && output.application.task_seconds < output.application.receive_seconds && output.application.receive_seconds < output.embedder.timeout_seconds
    error_message = "function < queue < embedder."
  }
  assert {
    condition     = output.environment["CHAPTERVERSE_MAX_OPEN_REQUESTS"] == "64" && output.environment["CHAPTERVERSE_MAX_TASK_SENTENCES"] == "512"
    error_message = "The application is told other figures than the infrastructure is built for."
  }
  assert {
    condition     = output.chroma.machine_type == "e2-medium" && output.chroma.disk_gib == 20
    error_message = "One school's index is below a GiB and fits the smallest machine."
  }
  assert {
    condition     = output.catalog.max_connections == 4 * 15 + 2 * (15 + 8) + (15 + 64 + 1) + 3 * 4 + 10
    error_message = "A pool of 15 an instance, and what is claimed by night, by tasks and by events."
  }
}

run "bulk_work_leaves_task_slots_free_and_people_have_slots_of_their_own" {
  command = plan

  variables {
    scale = { embedder_max = 3 }
  }

  assert {
    condition     = output.queue.max_concurrent_dispatches == 64 # half of three times 32, and twice 8 essays
    error_message = "The queue delivers more than its share."
  }
  assert {
    condition     = output.embedder.concurrency == 64 + 32 + 16
    error_message = "An embedder takes people, half as many tasks, and 16 to be told 429."
  }
  assert {
    condition     = output.api.concurrency > var.settings.max_open_requests
    error_message = "Nobody is there to say 429."
  }
}

run "tasks_are_never_more_than_embedders_take" {
  command = plan

  variables {
    settings = { max_open_requests = 16 }
  }

  assert {
    condition     = output.queue.max_concurrent_dispatches == 8
    error_message = "Tasks would be turned away, and each time counts as an attempt."
  }
}

run "the_queue_never_gives_up_before_the_application" {
  command = plan

  assert {
    condition     = output.queue.max_attempts > output.application.task_attempts
    error_message = "A book would stay unfinished without a word."
  }
}

run "fifty_schools_get_a_larger_machine" {
  command = plan

  variables {
    scale = { schools = 50 }
  }

  assert {
    condition     = output.chroma.machine_type == "e2-highmem-8" && output.chroma.index_gib == 33
    error_message = "50 schools of 150,000 sentences of 384 numbers are 33 GiB."
  }
}

run "more_schools_than_one_machine_holds_are_refused" {
  command         = plan
  expect_failures = [output.chroma]

  variables {
    scale = { schools = 1000 }
  }
}

run "bulk_work_that_takes_every_slot_is_refused" {
  command         = plan
  expect_failures = [var.scale]

  variables {
    scale = { bulk_share = 1 }
  }
}

run "a_minimum_above_its_maximum_is_refused" {
  command         = plan
  expect_failures = [var.scale]

  variables {
    scale = { embedder_min = 2, embedder_max = 1 }
  }
}
