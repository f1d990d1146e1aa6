variable "place" {
  description = "Project, its number, what names begin with, region."
  type        = object({ project_id = string, project_number = string, prefix = string, region = string })
}

variable "more" {
  description = "Further interfaces, without .googleapis.com."
  type        = list(string)
  default     = []
}
