output "buckets" {
  description = "Names of the buckets by what is in them."
  value       = { for key, bucket in google_storage_bucket.this : key => bucket.name }
}

output "catalogue" {
  description = "Its instance, and its address without the password, which is PGPASSWORD."
  value = {
    instance = google_sql_database_instance.catalogue.name
    address  = "postgresql+psycopg://${google_sql_user.catalogue.name}@catalog.${var.network.zone.domain}/${google_sql_database.catalogue.name}?sslmode=require"
  }
  depends_on = [google_dns_record_set.catalogue]
}

output "queue" {
  description = "Its name, its path as CHAPTERVERSE_QUEUE names it, and the identity that tasks carry."
  value = {
    name    = google_cloud_tasks_queue.this.name
    path    = "projects/${var.place.project_id}/locations/${var.place.region}/queues/${google_cloud_tasks_queue.this.name}"
    account = { name = google_service_account.tasks.name, email = google_service_account.tasks.email, member = google_service_account.tasks.member }
  }
}

output "secrets" {
  description = "Each secret: id, name, and the version that is mounted."
  value = { for name, secret in google_secret_manager_secret.this : name => {
    id      = secret.id
    secret  = secret.secret_id
    version = name == "catalog-password" ? google_secret_manager_secret_version.password.version : "latest"
  } }
}
