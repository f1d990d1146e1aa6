resource "google_compute_security_policy" "this" {
  name        = var.place.prefix
  description = "What may come in."

  # The vulnerabilities of the day, Log4Shell among them. The rules against injection are left out: essays quote code and markup.
  rule {
    action      = "deny(403)"
    priority    = 900
    description = "Known exploits"

    match {
      expr {
        expression = "evaluatePreconfiguredWaf('cve-canary', {'sensitivity': 1})"
      }
    }
  }

  rule {
    action      = "throttle"
    priority    = 1000
    description = "Too many requests from one address"

    match {
      versioned_expr = "SRC_IPS_V1"

      config {
        src_ip_ranges = ["*"]
      }
    }

    rate_limit_options {
      conform_action = "allow"
      exceed_action  = "deny(429)"
      enforce_on_key = "IP"

      rate_limit_threshold {
        count        = var.requests_per_minute
        interval_sec = 60
      }
    }
  }

  rule {
    action      = "allow"
    priority    = 2147483647
    description = "Everybody else"

    match {
      versioned_expr = "SRC_IPS_V1"

      config {
        src_ip_ranges = ["*"]
      }
    }
  }
}

resource "google_compute_region_network_endpoint_group" "this" {
  name                  = var.place.prefix
  region                = var.place.region
  network_endpoint_type = "SERVERLESS"

  cloud_run {
    service = var.service
  }
}

resource "google_compute_backend_service" "this" { # neither health check nor timeout_sec: both are refused with such a group
  name                  = var.place.prefix
  load_balancing_scheme = "EXTERNAL_MANAGED"
  protocol              = "HTTPS"
  security_policy       = google_compute_security_policy.this.id

  backend {
    group = google_compute_region_network_endpoint_group.this.id
  }

  log_config {
    enable      = true
    sample_rate = 1
  }
}

resource "google_compute_url_map" "https" {
  name            = var.place.prefix
  default_service = google_compute_backend_service.this.id
}

resource "google_compute_url_map" "http" {
  name = "${var.place.prefix}-http"

  default_url_redirect {
    https_redirect         = true
    strip_query            = false
    redirect_response_code = "MOVED_PERMANENTLY_DEFAULT"
  }
}

resource "google_compute_managed_ssl_certificate" "this" {
  name = "${var.place.prefix}-${substr(sha256(var.domain), 0, 8)}" # another domain, another certificate, made before the old one goes

  managed {
    domains = [var.domain]
  }

  lifecycle {
    create_before_destroy = true
  }
}

resource "google_compute_ssl_policy" "this" {
  name            = var.place.prefix
  profile         = "MODERN"
  min_tls_version = "TLS_1_2"
}

resource "google_compute_target_https_proxy" "this" {
  name             = var.place.prefix
  url_map          = google_compute_url_map.https.id
  ssl_certificates = [google_compute_managed_ssl_certificate.this.id]
  ssl_policy       = google_compute_ssl_policy.this.id
}

resource "google_compute_target_http_proxy" "this" {
  name    = "${var.place.prefix}-http"
  url_map = google_compute_url_map.http.id
}

resource "google_compute_global_address" "this" {
  name = var.place.prefix
}

resource "google_compute_global_forwarding_rule" "this" {
  for_each = {
    https = { port = "443", target = google_compute_target_https_proxy.this.id }
    http  = { port = "80", target = google_compute_target_http_proxy.this.id }
  }

  name                  = "${var.place.prefix}-${each.key}"
  load_balancing_scheme = "EXTERNAL_MANAGED"
  ip_address            = google_compute_global_address.this.address
  port_range            = each.value.port
  target                = each.value.target
}
