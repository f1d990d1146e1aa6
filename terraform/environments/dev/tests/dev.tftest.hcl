variables {
  project_id        = "my-school-dev"
  project_number    = "123456789012"
  oncall            = "oncall@my-school.example"
  billing_account   = "0123AB-4567CD-89EF01"
  state_bucket      = "my-school-dev-terraform"
  functions_archive = "example.tfvars" # any file will do here
  catalog_password  = "a long random one, of the shell"
  images            = { embedder = "embedder@sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef" }
}

run "it_costs_next_to_nothing_idle" {
  command = plan

  assert {
    condition     = output.deployment.a_record == null
    error_message = "There is a load balancer, which costs while nobody calls."
  }
}

run "an_image_by_tag_is_refused" {
  command         = plan
  expect_failures = [var.images]

  variables {
    images = { embedder = "embedder:latest" }
  }
}
