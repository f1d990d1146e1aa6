variable "place" {
  description = "Project, its number, what names begin with, region."
  type        = object({ project_id = string, project_number = string, prefix = string, region = string })
}

variable "endpoint" {
  description = "Image by digest, id, machine."
  type = object({
    image       = string
    endpoint_id = string
    machine     = object({ type = string, accelerator = string, min_replicas = number, max_replicas = number })
  })
}

variable "invokers" {
  description = "Who may ask it, by a name for each: serviceAccount:…"
  type        = map(string)
}
