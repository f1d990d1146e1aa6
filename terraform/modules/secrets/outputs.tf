output "references" {
  description = "Each secret and the version that a workload reads: the one from here, else the latest."
  value = {
    for name, secret in google_secret_manager_secret.this : name => {
      id      = secret.id
      secret  = secret.secret_id
      version = try(google_secret_manager_secret_version.this[name].version, "latest")
    }
  }
}
