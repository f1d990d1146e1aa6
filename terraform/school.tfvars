# A school that answers at once all day, on CPUs: an instance of the api stands ready, Chroma holds the index.
# Copy to terraform.tfvars and put your own in; a test plans with these.
name           = "school"
project_id     = "my-school"
project_number = "210987654321"
domain         = "essays.my-school.example"
oncall         = "oncall@my-school.example"
operators      = ["group:operators@my-school.example"]
budget         = { account = "0123AB-4567CD-89EF01", amount = 250 }
repository     = "my-school/chapterverse"
images = {
  app    = "europe-west1-docker.pkg.dev/my-school/cv-school-images/app@sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"
  chroma = "europe-west1-docker.pkg.dev/my-school/cv-school-images/chroma@sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"
}
scale          = { api_min = 1, api_max = 6, embedder_max = 2 }
embedder       = { cpu = 4, memory_gib = 8 }
index          = "chroma"
catalogue      = { tier = "db-custom-1-3840" }
language_model = { kind = "gemini", model = "gemini-3.5-flash-lite", price_prompt = 0.3, price_answer = 2.5 }
