# One school alone: no vector machine, no GPU, no balancer; asleep, the catalogue is nearly all that costs (docs/capacity.md).
# Copy to terraform.tfvars and put your own in; a test plans with these.
name           = "small"
project_id     = "my-school-small"
project_number = "310987654321"
oncall         = "oncall@my-school.example"
operators      = ["group:operators@my-school.example"]
budget         = { account = "0123AB-4567CD-89EF01", amount = 60 }
repository     = "my-school/chapterverse"
images         = { app = "europe-west1-docker.pkg.dev/my-school-small/cv-small-images/app@sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef" }
settings       = { max_open_requests = 16 }
scale          = { api_max = 8, embedder_max = 2, ingest_max = 1, nightly_max = 1 }
embedder       = { cpu = 4, memory_gib = 4 }
index          = "files"
catalogue      = { tier = "db-g1-small" }
timetable      = { from = ["25 9 * * 1-5", "10 14 * * 1-5"], until = ["35 9 * * 1-5", "20 14 * * 1-5"] } # essays are handed in at 9:30 and 14:15
