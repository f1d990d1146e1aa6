output "deploy" {
  description = "The commands that put the model on the endpoint: Terraform's provider has no resource for a model."
  value = [
    "gcloud ai models upload --project=${var.place.project_id} --region=${var.place.region} --display-name=${var.place.prefix}-embeddings --container-image-uri=${var.endpoint.image} --container-ports=8080 --container-predict-route=/v1/predict --container-health-route=/ready",
    "gcloud ai endpoints deploy-model ${google_vertex_ai_endpoint.this.name} --project=${var.place.project_id} --region=${var.place.region} --display-name=${var.place.prefix}-embeddings --model=MODEL_ID --service-account=${google_service_account.this.email} ${local.machine}",
  ]
}
