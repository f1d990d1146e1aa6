variable "place" {
  description = "Project, its number, what names begin with, region."
  type        = object({ project_id = string, project_number = string, prefix = string, region = string })
}

variable "internet" {
  description = "Whether services reach the internet, through a NAT."
  type        = bool
}

variable "domain" {
  description = "The private zone."
  type        = string
  default     = "chapterverse.internal"
}
