provider "google" {
  project = "my-school"
  region  = "europe-west1"
}

variables {
  project_id = "my-school"
  name       = "cv-prod-embeddings"
  region     = "europe-west1"
  account_id = "cv-prod-vertex"
  image      = "europe-west1-docker.pkg.dev/my-school/cv-prod-images/embedder-gpu@sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"
  invokers   = { api = "serviceAccount:cv-prod-api@my-school.iam.gserviceaccount.com" }
}

run "its_address_is_what_the_application_asks" {
  command = plan

  assert {
    condition     = output.url == "https://europe-west1-aiplatform.googleapis.com/v1/projects/my-school/locations/europe-west1/endpoints/1001"
    error_message = "The application would ask another address."
  }
}

run "who_asks_may_do_nothing_else" {
  command = plan

  assert {
    condition     = google_project_iam_custom_role.asks.permissions == toset(["aiplatform.endpoints.predict"])
    error_message = "More than to ask is allowed."
  }
  assert {
    condition     = alltrue([for grant in google_project_iam_member.asks : startswith(grant.member, "serviceAccount:")])
    error_message = "Somebody else than a service account may ask it."
  }
}

run "an_image_by_tag_is_refused" {
  command         = plan
  expect_failures = [var.image]

  variables {
    image = "embedder:latest"
  }
}

run "an_id_that_vertex_does_not_take_is_refused" {
  command         = plan
  expect_failures = [var.endpoint_id]

  variables {
    endpoint_id = "embeddings"
  }
}
