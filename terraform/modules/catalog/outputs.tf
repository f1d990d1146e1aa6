output "address" {
  description = "As CHAPTERVERSE_CATALOG names it; the password comes from PGPASSWORD, which libpq reads."
  value       = "postgresql+psycopg://${google_sql_user.this.name}@catalog.${var.zone.domain}/${google_sql_database.this.name}?sslmode=require"
}

output "instance" {
  description = "The instance's name, for backups and alerts."
  value       = google_sql_database_instance.this.name
}
