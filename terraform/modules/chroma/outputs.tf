output "address" {
  description = "As CHAPTERVERSE_INDEX names it."
  value       = "http://chroma.${var.network.zone.domain}:${local.port}"
}
