# Many schools: GPUs for the embedder, a standby of the catalogue, mail and the schools' own sign-in.
# Copy to terraform.tfvars and put your own in; a test plans with these. The secrets have their versions by then.
name           = "district"
project_id     = "my-district"
project_number = "410987654321"
domain         = "essays.my-district.example"
oncall         = "oncall@my-district.example"
operators      = ["group:operators@my-district.example"]
budget         = { account = "0123AB-4567CD-89EF01", amount = 2500 }
repository     = "my-district/chapterverse"
images = {
  app     = "europe-west1-docker.pkg.dev/my-district/cv-district-images/app@sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"
  gpu     = "europe-west1-docker.pkg.dev/my-district/cv-district-images/gpu@sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"
  chroma  = "europe-west1-docker.pkg.dev/my-district/cv-district-images/chroma@sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"
  metrics = "europe-west1-docker.pkg.dev/my-district/cv-district-images/metrics@sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"
}
scale          = { schools = 30, api_min = 2, api_max = 20, embedder_min = 1, embedder_max = 4 }
embedder       = { accelerator = "nvidia-l4", cpu = 4, memory_gib = 16 }
index          = "chroma"
catalogue      = { tier = "db-custom-4-15360", standby = true }
language_model = { kind = "gemini", model = "gemini-3.5-flash-lite", price_prompt = 0.3, price_answer = 2.5, batch = true }
mail_from      = "chapterverse@my-district.example"
secrets        = ["mail-server"]
