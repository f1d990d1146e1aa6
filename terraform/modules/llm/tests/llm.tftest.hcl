provider "google" {
  project = "my-school"
  region  = "europe-west1"
}

variables {
  name           = "cv-prod-llm"
  region         = "europe-west1"
  account_id     = "cv-prod-llm"
  url            = "https://cv-prod-llm-123456789012.europe-west1.run.app"
  model          = "Qwen/Qwen3-4B-Instruct-2507"
  invokers       = { api = "serviceAccount:cv-prod-api@my-school.iam.gserviceaccount.com" }
  image          = "europe-west1-docker.pkg.dev/my-school/cv-prod-images/llm@sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"
  key            = { id = "projects/my-school/secrets/cv-prod-llm-key", secret = "cv-prod-llm-key", version = "latest" }
  leaves_through = { network = "cv-prod", subnetwork = "cv-prod-run" }
  protect        = true
}

run "it_is_called_from_inside_only_by_named_accounts_and_with_a_key" {
  command = plan

  assert {
    condition     = google_cloud_run_v2_service.this.ingress == "INGRESS_TRAFFIC_INTERNAL_ONLY" && !coalesce(google_cloud_run_v2_service.this.invoker_iam_disabled, false)
    error_message = "Anybody with the key could call it."
  }
  assert {
    condition = contains(
      [for env in google_cloud_run_v2_service.this.template[0].containers[0].env : env.value_source[0].secret_key_ref[0].secret if env.name == "VLLM_API_KEY"],
      "cv-prod-llm-key",
    )
    error_message = "It asks for no key."
  }
}

run "a_gpu_with_too_little_beside_it_is_refused" {
  command         = plan
  expect_failures = [var.machine]

  variables {
    machine = { accelerator = "nvidia-l4", cpu = 2, memory_gib = 8 }
  }
}

run "an_image_by_tag_is_refused" {
  command         = plan
  expect_failures = [var.image]

  variables {
    image = "llm:latest"
  }
}
