terraform {
  required_version = ">= 1.11"

  required_providers {
    google = {
      source  = "hashicorp/google"
      version = "~> 7.45"
    }
  }

  backend "gcs" { # bucket: terraform init -backend-config=bucket=$STATE_BUCKET
    prefix = "chapterverse/small"
  }
}

provider "google" {
  project        = var.project_id
  region         = var.region
  default_labels = module.deployment.labels
}
