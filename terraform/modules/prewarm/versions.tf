terraform {
  required_version = ">= 1.11" # write-only arguments

  required_providers {
    google = {
      source  = "hashicorp/google"
      version = ">= 7.21, < 8" # functions that leave through the network itself
    }
  }
}
