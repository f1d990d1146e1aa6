variable "place" {
  description = "Project, its number, what names begin with, region."
  type        = object({ project_id = string, project_number = string, prefix = string, region = string })
}

variable "repository" {
  description = "OWNER/NAME of the GitHub repository that releases; empty for none."
  type        = string
}
