terraform {
  required_version = ">= 1.11" # write-only arguments

  required_providers {
    google = {
      source  = "hashicorp/google"
      version = "7.45.0"
    }
    time = {
      source  = "hashicorp/time"
      version = "0.13.1"
    }
  }

  backend "gcs" { # terraform init -backend-config=bucket=$STATE_BUCKET -backend-config=prefix=$NAME
  }
}

provider "google" {
  project               = var.project_id
  region                = var.region
  default_labels        = local.labels
  user_project_override = true # a budget asks for the project that a person's login is charged to
  billing_project       = var.project_id
}
