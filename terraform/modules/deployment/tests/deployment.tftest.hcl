provider "google" {
  project = "my-school"
  region  = "europe-west1"
}

variables {
  project_id        = "my-school"
  project_number    = "123456789012"
  environment       = "prod"
  region            = "europe-west1"
  domain            = "essays.my-school.example"
  oncall            = "oncall@my-school.example"
  billing_account   = "0123AB-4567CD-89EF01"
  monthly_budget    = 500
  time_zone         = "Europe/Berlin"
  functions_archive = "README.md" # any file will do here
  state_bucket      = "my-school-terraform"
  index             = "chroma"
  embedder_machine  = { accelerator = "nvidia-l4", cpu = 4, memory_gib = 16 }
  catalog_tier      = "db-custom-2-7680"
  catalog_password  = "a long random one, of the shell"
  protect           = true
  images = {
    embedder = "europe-west1-docker.pkg.dev/my-school/cv-prod-images/embedder@sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"
    chroma   = "europe-west1-docker.pkg.dev/my-school/cv-prod-images/chroma@sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"
  }
}

run "with_chroma_and_a_domain" {
  command = plan

  assert {
    condition     = length(module.chroma) == 1 && length(module.edge) == 1 && length(module.llm) == 0
    error_message = "Parts are missing, or there are some that nobody asked for."
  }
  assert {
    condition     = local.environment["CHAPTERVERSE_INDEX"] == "http://chroma.chapterverse.internal:8000"
    error_message = "The application looks for the index elsewhere."
  }
  assert {
    condition     = local.environment["CHAPTERVERSE_TASKS_URL"] == local.with_remote_embedder["CHAPTERVERSE_EMBEDDER_URL"]
    error_message = "Tokens are for another address than the one that is called."
  }
}

run "with_pgvector_and_no_domain" {
  command = plan

  variables {
    index  = "pgvector"
    domain = ""
  }

  assert {
    condition     = length(module.chroma) == 0 && length(module.edge) == 0 && output.address == "https://cv-prod-api-123456789012.europe-west1.run.app"
    error_message = "There is a VM or a balancer that nobody asked for."
  }
}

run "with_an_endpoint_of_vertex_ai" {
  command = plan

  variables {
    vertex_endpoint = { image = "embedder@sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef" }
  }

  assert {
    condition     = local.with_remote_embedder["CHAPTERVERSE_EMBEDDER"] == "vertex" && endswith(local.with_remote_embedder["CHAPTERVERSE_EMBEDDER_URL"], "/endpoints/1001")
    error_message = "The application asks another embedder."
  }
}

run "without_it_there_is_none" {
  command = plan

  assert {
    condition     = length(module.vertex_endpoint) == 0 && local.with_remote_embedder["CHAPTERVERSE_EMBEDDER"] == "remote"
    error_message = "An endpoint is paid for that nobody asked for."
  }
}

run "with_a_language_model_of_our_own" {
  command = plan

  variables {
    language_model = { kind = "vllm", model = "Qwen/Qwen3-8B" }
    images = {
      embedder = "embedder@sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"
      chroma   = "chroma@sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"
      llm      = "llm@sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"
    }
  }

  assert {
    condition     = length(module.llm) == 1 && local.llm_environment["CHAPTERVERSE_LLM_URL"] == "https://cv-prod-llm-123456789012.europe-west1.run.app/v1"
    error_message = "The application asks another model."
  }
  assert {
    condition     = length(google_project_iam_custom_role.asks_gemini) == 0 && contains(keys(local.llm_secrets), "CHAPTERVERSE_LLM_KEY")
    error_message = "It may ask Gemini, or shows no key."
  }
}

run "gemini_stays_in_the_region_with_one_permission" {
  command = plan

  variables {
    language_model = { kind = "gemini", model = "gemini-3.5-flash-lite", price_prompt = 0.3, price_answer = 2.5 }
  }

  assert {
    condition     = strcontains(local.llm_environment["CHAPTERVERSE_LLM_MODEL"], "/locations/eu/")
    error_message = "Essays leave the region."
  }
  assert {
    condition     = google_project_iam_custom_role.asks_gemini[0].permissions == toset(["aiplatform.endpoints.predict"])
    error_message = "It may do more than ask."
  }
}

run "a_paid_model_without_prices_is_refused" {
  command         = plan
  expect_failures = [var.language_model]

  variables {
    language_model = { kind = "gemini", model = "gemini-3.5-flash-lite" }
  }
}

run "a_region_without_gpus_is_refused" {
  command         = plan
  expect_failures = [var.region]

  variables {
    region = "europe-north1"
  }
}

run "a_figure_that_nobody_knows_is_refused" {
  command         = plan
  expect_failures = [output.figures]

  variables {
    settings = { tusk_seconds = 900 }
  }
}

run "during_a_change_of_models_all_programs_know_both" {
  command = plan

  variables {
    embedding_model  = "BAAI/bge-small-en-v1.5"
    embedding_before = { model = "all-MiniLM-L6-v2", url = "https://before---embedder.run.app" }
  }

  assert {
    condition     = jsondecode(local.with_remote_embedder["CHAPTERVERSE_EMBEDDER_BEFORE"]).model == "all-MiniLM-L6-v2" && jsondecode(local.environment["CHAPTERVERSE_EMBEDDER_BEFORE"]).dimensions == 384
    error_message = "A program would have no book to look in until, or once, its school has changed."
  }
}

run "a_model_before_itself_is_refused" {
  command         = plan
  expect_failures = [var.embedding_before]

  variables {
    embedding_before = { model = "all-MiniLM-L6-v2", url = "https://before---embedder.run.app" }
  }
}

run "people_sign_in_by_mail_by_their_school_and_from_a_platform" {
  command = plan

  variables {
    sign_in = { mail_from = "chapterverse@my-school.example", schools = true, platforms = true }
  }

  assert {
    condition     = local.sign_in_environment["CHAPTERVERSE_SITE_URL"] == "https://essays.my-school.example" && output.sign_in_back == "https://essays.my-school.example/sign-in/school/NAME/back"
    error_message = "Letters and schools lead elsewhere."
  }
  assert {
    condition     = toset(keys(local.sign_in_secrets)) == toset(["CHAPTERVERSE_MAIL_SERVER", "CHAPTERVERSE_OIDC_SECRETS", "CHAPTERVERSE_LTI_KEYS"])
    error_message = "A secret does not reach the api."
  }
}
