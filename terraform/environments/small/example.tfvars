# Copy to terraform.tfvars and put your own in; a test plans with these.
project_id      = "my-school-small"
project_number  = "310987654321"
oncall          = "oncall@my-school.example"
operators       = ["group:operators@my-school.example"]
billing_account = "0123AB-4567CD-89EF01"
state_bucket    = "my-school-small-terraform"
timetable       = { from = ["25 9 * * 1-5", "10 14 * * 1-5"], until = ["35 9 * * 1-5", "20 14 * * 1-5"] } # essays are handed in at 9:30 and 14:15
repository      = "my-school/chapterverse"
images = {
  embedder = "europe-west1-docker.pkg.dev/my-school-small/cv-small-images/embedder@sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"
}
