output "url" {
  description = "CHAPTERVERSE_EMBEDDER_URL."
  value       = "https://${var.region}-aiplatform.googleapis.com/v1/${local.path}"
}

output "deploy" {
  description = "The commands that put the model on the endpoint: Terraform's provider has no resource for a model."
  value = [
    "gcloud ai models upload --project=${var.project_id} --region=${var.region} --display-name=${var.name} --container-image-uri=${var.image} --container-ports=8080 --container-predict-route=/v1/predict --container-health-route=/ready",
    "gcloud ai endpoints deploy-model ${google_vertex_ai_endpoint.this.name} --project=${var.project_id} --region=${var.region} --display-name=${var.name} --model=MODEL_ID --service-account=${google_service_account.this.email} ${local.machine}",
  ]
}
