# Whose token goes with each task. Who adds tasks is granted its use where that workload is.
resource "google_service_account" "tasks" {
  account_id   = var.account_id
  display_name = "Chapterverse: tasks"
  description  = "Its token goes with each task; may call the embedder and nothing else."
}
