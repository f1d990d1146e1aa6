# What begins work by itself: files that come and go, and the clock.
resource "google_eventarc_trigger" "this" {
  for_each = local.events

  name            = "${var.place.prefix}-${each.key}"
  location        = var.place.region
  service_account = var.events_account.email

  matching_criteria {
    attribute = "type"
    value     = each.value
  }
  matching_criteria {
    attribute = "bucket"
    value     = var.uploads
  }

  destination {
    cloud_run_service {
      service = var.receivers[each.key]
      region  = var.place.region
    }
  }

  depends_on = [google_project_iam_member.receives]
}

locals {
  events = { # the bucket keeps versions: a file that is deleted or replaced is archived
    uploaded = "google.cloud.storage.object.v1.finalized"
    deleted  = "google.cloud.storage.object.v1.archived"
  }
}

resource "google_project_iam_member" "receives" { # Eventarc has no narrower place
  project = var.place.project_id
  role    = "roles/eventarc.eventReceiver"
  member  = var.events_account.member
}

resource "google_cloud_scheduler_job" "nightly" {
  name             = "${var.place.prefix}-nightly"
  region           = var.place.region
  description      = "Begins the batches of essays that wait."
  schedule         = "0 1 * * *"
  time_zone        = var.time_zone
  attempt_deadline = "${var.nightly.timeout_seconds + 60}s"

  retry_config { # what is begun is not begun again
    retry_count          = 5
    min_backoff_duration = "60s"
    max_backoff_duration = "600s"
  }

  http_target {
    http_method = "POST"
    uri         = var.nightly.url
    headers     = { Content-Type = "application/json" }
    body        = base64encode("{}")

    oidc_token {
      service_account_email = google_service_account.clock.email
      audience              = var.nightly.url
    }
  }
}

resource "google_service_account" "clock" {
  account_id   = "${var.place.prefix}-clock"
  display_name = "Chapterverse: clock"
  description  = "Begins the nightly work, and nothing else."
}

# Cloud Run's own minimum of a service, set before a bell and taken away after it: no revision changes, and no traffic.
resource "google_cloud_scheduler_job" "warm" {
  for_each = local.warm

  name             = "${var.place.prefix}-warm-${each.key}"
  region           = var.place.region
  description      = each.value.instances > 0 ? "Instances stand ready before a lesson ends." : "Down to none."
  schedule         = each.value.schedule
  time_zone        = var.time_zone
  attempt_deadline = "60s"

  retry_config {
    retry_count          = 3
    min_backoff_duration = "5s"
  }

  http_target {
    http_method = "PATCH"
    uri         = "https://run.googleapis.com/v2/projects/${var.place.project_id}/locations/${var.place.region}/services/${each.value.service}?updateMask=scaling.minInstanceCount"
    headers     = { Content-Type = "application/json" }
    body        = base64encode(jsonencode({ scaling = { minInstanceCount = each.value.instances } }))

    oauth_token {
      service_account_email = google_service_account.warmer[0].email
      scope                 = "https://www.googleapis.com/auth/cloud-platform"
    }
  }

  depends_on = [google_cloud_run_v2_service_iam_member.warms, google_service_account_iam_member.warms]
}

locals {
  warm = var.timetable == null ? {} : merge([for name, service in var.warmed : merge(
    { for number, schedule in var.timetable.from : "${name}-up-${number}" => { service = service.name, schedule = schedule, instances = var.timetable[name] } },
    { for number, schedule in var.timetable.until : "${name}-down-${number}" => { service = service.name, schedule = schedule, instances = 0 } },
  )]...)
}

resource "google_service_account" "warmer" {
  count = var.timetable == null ? 0 : 1

  account_id   = "${var.place.prefix}-warmer"
  display_name = "Chapterverse: warmer"
  description  = "Changes two services' minimum of instances."
}

resource "google_project_iam_custom_role" "warms" { # two permissions, not the many of roles/run.developer
  count = var.timetable == null ? 0 : 1

  role_id     = "${replace(var.place.prefix, "-", "_")}_warms"
  title       = "Chapterverse: scales a service"
  permissions = ["run.services.get", "run.services.update"]
}

resource "google_cloud_run_v2_service_iam_member" "warms" {
  for_each = var.timetable == null ? {} : var.warmed

  name     = each.value.name
  location = var.place.region
  role     = google_project_iam_custom_role.warms[0].name
  member   = google_service_account.warmer[0].member
}

resource "google_service_account_iam_member" "warms" { # Cloud Run asks this of everybody who changes a service
  for_each = var.timetable == null ? {} : var.warmed

  service_account_id = each.value.account
  role               = "roles/iam.serviceAccountUser"
  member             = google_service_account.warmer[0].member
}
