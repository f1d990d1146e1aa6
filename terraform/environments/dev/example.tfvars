# Copy to terraform.tfvars and put your own in; a test plans with these.
project_id      = "my-school-dev"
project_number  = "123456789012"
oncall          = "oncall@my-school.example"
operators       = ["group:operators@my-school.example"]
billing_account = "0123AB-4567CD-89EF01"
state_bucket    = "my-school-dev-terraform"
repository      = "my-school/chapterverse"
images = {
  embedder = "europe-west1-docker.pkg.dev/my-school-dev/cv-dev-images/embedder@sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"
}
