# Copy to terraform.tfvars and put your own in; a test plans with these.
project_id      = "my-school"
project_number  = "210987654321"
domain          = "essays.my-school.example"
oncall          = "oncall@my-school.example"
operators       = ["group:operators@my-school.example"]
billing_account = "0123AB-4567CD-89EF01"
state_bucket    = "my-school-terraform"
repository      = "my-school/chapterverse"
scale           = { schools = 3, embedder_max = 2 }
language_model  = { kind = "gemini", model = "gemini-3.5-flash-lite", price_prompt = 0.3, price_answer = 2.5 }
sign_in         = { mail_from = "chapterverse@my-school.example", schools = true }
images = {
  embedder = "europe-west1-docker.pkg.dev/my-school/cv-prod-images/embedder@sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"
  chroma   = "europe-west1-docker.pkg.dev/my-school/cv-prod-images/chroma@sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"
  metrics  = "europe-west1-docker.pkg.dev/my-school/cv-prod-images/metrics@sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"
}
