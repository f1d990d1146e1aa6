variable "place" {
  description = "Project, its number, what names begin with, region."
  type        = object({ project_id = string, project_number = string, prefix = string, region = string })
}

variable "network" {
  description = "Network, subnetwork of machines, addresses of callers, private zone."
  type        = object({ id = string, data_subnetwork = string, run_range = string, zone = object({ name = string, domain = string }) })
}

variable "repository" {
  description = "The repository of its image."
  type        = string
}

variable "machine" {
  description = "Its image by digest, its type, whose memory holds the whole index, and GiB of its disk."
  type        = object({ image = string, type = string, disk_gib = number })
}
