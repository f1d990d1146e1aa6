provider "google" {
  project = "my-school"
  region  = "europe-west1"
}

variables {
  name         = "cv-prod-embedder"
  account_id   = "cv-prod-embedder"
  url          = "https://cv-prod-embedder-123456789012.europe-west1.run.app"
  image        = "europe-west1-docker.pkg.dev/my-school/cv-prod-images/embedder@sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"
  machine      = { accelerator = "nvidia-l4", cpu = 4, memory_gib = 16 }
  size         = { concurrency = 112, min_instances = 0, max_instances = 2, timeout_seconds = 1860 }
  task_seconds = 1800
  protect      = true
  invokers = {
    tasks = "serviceAccount:cv-prod-tasks@my-school.iam.gserviceaccount.com"
    api   = "serviceAccount:cv-prod-api@my-school.iam.gserviceaccount.com"
  }
  project_id     = "my-school"
  region         = "europe-west1"
  environment    = { CHAPTERVERSE_UPLOADS = "gs://my-school-uploads" }
  secrets        = { PGPASSWORD = { id = "projects/my-school/secrets/cv-prod-catalog-password", secret = "cv-prod-catalog-password", version = "1" } }
  leaves_through = { network = "cv-prod", subnetwork = "cv-prod-run" }
  buckets        = { uploads = "my-school-uploads", artefacts = "my-school-artefacts", results = "my-school-results" }
  queue = {
    name = "cv-prod-index"
    account = {
      name   = "projects/my-school/serviceAccounts/cv-prod-tasks@my-school.iam.gserviceaccount.com"
      email  = "cv-prod-tasks@my-school.iam.gserviceaccount.com"
      member = "serviceAccount:cv-prod-tasks@my-school.iam.gserviceaccount.com"
    }
  }
}

run "it_is_reached_by_named_accounts_from_inside" {
  command = plan

  assert {
    condition     = google_cloud_run_v2_service.this.ingress == "INGRESS_TRAFFIC_INTERNAL_ONLY" && !coalesce(google_cloud_run_v2_service.this.invoker_iam_disabled, false)
    error_message = "Others reach the model."
  }
  assert {
    condition     = alltrue([for grant in google_cloud_run_v2_service_iam_member.invokes : startswith(grant.member, "serviceAccount:")])
    error_message = "Somebody else than a service account may call it."
  }
  assert {
    condition = contains(
      [for env in google_cloud_run_v2_service.this.template[0].containers[0].env : env.value if env.name == "CHAPTERVERSE_ALLOWED_CALLERS"],
      "cv-prod-api@my-school.iam.gserviceaccount.com,cv-prod-tasks@my-school.iam.gserviceaccount.com",
    )
    error_message = "The application lets in others than Cloud Run does."
  }
}

run "it_has_its_gpu_for_as_long_as_it_lives_and_scales_to_zero" {
  command = plan

  assert {
    condition     = google_cloud_run_v2_service.this.template[0].node_selector[0].accelerator == "nvidia-l4" && !google_cloud_run_v2_service.this.template[0].containers[0].resources[0].cpu_idle
    error_message = "No GPU, or one that is taken away between requests."
  }
  assert {
    condition     = google_cloud_run_v2_service.this.template[0].scaling[0].min_instance_count == 0
    error_message = "It costs at night."
  }
}

run "it_does_without_a_gpu" {
  command = plan

  variables {
    machine = { accelerator = "", cpu = 4, memory_gib = 8 }
  }

  assert {
    condition     = length(google_cloud_run_v2_service.this.template[0].node_selector) == 0 && google_cloud_run_v2_service.this.template[0].containers[0].resources[0].cpu_idle
    error_message = "A machine without a GPU is paid for between requests."
  }
}

run "a_gpu_with_too_little_beside_it_is_refused" {
  command         = plan
  expect_failures = [var.machine]

  variables {
    machine = { accelerator = "nvidia-l4", cpu = 2, memory_gib = 8 }
  }
}

run "too_little_memory_for_a_scan_is_refused" {
  command         = plan
  expect_failures = [var.machine]

  variables {
    machine = { accelerator = "", cpu = 1, memory_gib = 2 }
  }
}

run "an_embedder_that_ends_before_the_queue_stops_waiting_is_refused" {
  command         = plan
  expect_failures = [var.size]

  variables {
    size = { concurrency = 112, min_instances = 0, max_instances = 2, timeout_seconds = 1800 }
  }
}

run "an_image_by_tag_is_refused" {
  command         = plan
  expect_failures = [var.image]

  variables {
    image = "embedder:latest"
  }
}

run "everybody_is_refused" {
  command         = plan
  expect_failures = [var.invokers]

  variables {
    invokers = { everybody = "allUsers" }
  }
}
