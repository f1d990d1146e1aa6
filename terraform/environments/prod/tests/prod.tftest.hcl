variables {
  project_id        = "my-school"
  project_number    = "210987654321"
  domain            = "essays.my-school.example"
  oncall            = "oncall@my-school.example"
  billing_account   = "0123AB-4567CD-89EF01"
  state_bucket      = "my-school-terraform"
  functions_archive = "example.tfvars" # any file will do here
  catalog_password  = "a long random one, of the shell"
  images = {
    embedder = "embedder@sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"
    chroma   = "chroma@sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"
  }
}

run "it_is_reached_by_its_name_only" {
  command = plan

  assert {
    condition     = output.deployment.address == "https://essays.my-school.example"
    error_message = "It is reached by another address."
  }
}

run "production_without_a_domain_is_refused" {
  command         = plan
  expect_failures = [var.domain]

  variables {
    domain = ""
  }
}

run "an_image_by_tag_is_refused" {
  command         = plan
  expect_failures = [var.images]

  variables {
    images = { embedder = "embedder:latest", chroma = "chroma:latest" }
  }
}
