provider "google" {
  project = "my-school"
  region  = "europe-west1"
}

variables {
  name           = "cv-prod-admin"
  account_id     = "cv-prod-admin"
  image          = "europe-west1-docker.pkg.dev/my-school/cv-prod-images/embedder@sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"
  operators      = ["group:operators@my-school.example"]
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

run "an_execution_that_names_no_command_changes_nothing" {
  command = plan

  assert {
    condition = (
      google_cloud_run_v2_job.this.template[0].template[0].containers[0].command == tolist(["chapterverse"])
      && google_cloud_run_v2_job.this.template[0].template[0].containers[0].args == tolist(["doctor"])
    )
    error_message = "A job started by mistake does something."
  }
  assert {
    condition     = google_cloud_run_v2_job.this.template[0].template[0].max_retries == 0
    error_message = "A command that failed is given again by nobody."
  }
}

run "only_operators_run_it" {
  command = plan

  assert {
    condition     = [for grant in google_cloud_run_v2_job_iam_member.runs : grant.member] == ["group:operators@my-school.example"]
    error_message = "Others may run commands, or nobody may."
  }
}

run "everybody_is_no_operator" {
  command         = plan
  expect_failures = [var.operators]

  variables {
    operators = ["allUsers"]
  }
}

run "an_image_by_tag_is_refused" {
  command         = plan
  expect_failures = [var.image]

  variables {
    image = "embedder:latest"
  }
}
