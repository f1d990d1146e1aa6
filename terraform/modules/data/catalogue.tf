resource "google_sql_database_instance" "catalogue" {
  name                = "${var.place.prefix}-catalog"
  database_version    = "POSTGRES_16"
  region              = var.place.region
  deletion_protection = var.protect

  settings {
    tier                        = var.catalogue.tier
    edition                     = "ENTERPRISE"
    availability_type           = var.catalogue.standby ? "REGIONAL" : "ZONAL"
    activation_policy           = var.catalogue.running ? "ALWAYS" : "NEVER"
    deletion_protection_enabled = var.protect # holds for the console, too
    disk_type                   = "PD_SSD"
    disk_autoresize             = true
    disk_autoresize_limit       = 200
    retain_backups_on_delete    = var.protect

    ip_configuration {
      ipv4_enabled                                  = false
      private_network                               = var.network.id
      enable_private_path_for_google_cloud_services = false
      ssl_mode                                      = "ENCRYPTED_ONLY"
    }

    backup_configuration {
      enabled                        = true
      point_in_time_recovery_enabled = var.protect
      start_time                     = "02:00"
      location                       = var.place.region
      transaction_log_retention_days = var.protect ? 7 : null

      backup_retention_settings {
        retained_backups = var.protect ? 14 : 3
      }
    }

    insights_config {
      query_insights_enabled  = true
      record_application_tags = false
      record_client_address   = false
    }

    maintenance_window {
      day          = 7
      hour         = 3
      update_track = "stable"
    }

    dynamic "database_flags" {
      for_each = local.flags

      content {
        name  = database_flags.key
        value = database_flags.value
      }
    }
  }
}

locals {
  flags = {
    "max_connections"            = tostring(var.catalogue.max_connections)
    "log_checkpoints"            = "on"
    "log_connections"            = "on"
    "log_disconnections"         = "on"
    "log_lock_waits"             = "on"
    "log_min_duration_statement" = "-1" # statements hold ids of students' jobs: they stay out of the log
    "log_min_messages"           = "error"
    "log_min_error_statement"    = "error" # placeholders stand for values in them
    "log_temp_files"             = "0"
    "log_hostname"               = "on"
    "log_statement"              = "ddl"
    "cloudsql.enable_pgaudit"    = "on"
  }
}

resource "google_sql_database" "catalogue" {
  name            = "chapterverse"
  instance        = google_sql_database_instance.catalogue.name
  deletion_policy = "ABANDON" # the instance takes it along; alone, nobody removes it by mistake
}

resource "google_sql_user" "catalogue" {
  name                = "chapterverse"
  instance            = google_sql_database_instance.catalogue.name
  password_wo         = var.password
  password_wo_version = var.catalogue.password_version
  deletion_policy     = "ABANDON" # it owns the tables
}

resource "google_dns_record_set" "catalogue" {
  name         = "catalog.${var.network.zone.domain}."
  managed_zone = var.network.zone.name
  type         = "A"
  ttl          = 60
  rrdatas      = [google_sql_database_instance.catalogue.private_ip_address]
}
