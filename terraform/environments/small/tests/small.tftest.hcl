variables {
  project_id        = "my-school-small"
  project_number    = "310987654321"
  oncall            = "oncall@my-school.example"
  billing_account   = "0123AB-4567CD-89EF01"
  state_bucket      = "my-school-small-terraform"
  functions_archive = "example.tfvars" # any file will do here
  catalog_password  = "a long random one, of the shell"
  images            = { embedder = "embedder@sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef" }
}

run "nothing_runs_while_nobody_calls_but_the_catalog" {
  command = plan

  assert {
    condition     = output.deployment.a_record == null
    error_message = "There is a load balancer, which costs while nobody calls."
  }
  assert {
    condition     = output.deployment.figures.scale.api_min + output.deployment.figures.scale.embedder_min == 0
    error_message = "An instance is paid for at night."
  }
}

run "an_image_by_tag_is_refused" {
  command         = plan
  expect_failures = [var.images]

  variables {
    images = { embedder = "embedder:latest" }
  }
}
