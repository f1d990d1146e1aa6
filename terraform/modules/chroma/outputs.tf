output "address" {
  description = "As CHAPTERVERSE_INDEX names it."
  value       = "http://chroma.${var.dns_zone.domain}:${local.port}"
}

output "disk" {
  description = "The data disk, for restoring."
  value       = google_compute_disk.data.name
}

output "instance" {
  description = "The VM, for alerts."
  value       = google_compute_instance.this.name
}
