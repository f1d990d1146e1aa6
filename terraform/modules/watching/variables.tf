variable "place" {
  description = "Project, its number, what names begin with, region."
  type        = object({ project_id = string, project_number = string, prefix = string, region = string })
}

variable "oncall" {
  description = "E-mail address that alerts go to."
  type        = string
}

variable "domain" {
  description = "Name that /ready is asked at from outside; empty: it is not."
  type        = string
}

variable "day_ceiling" {
  description = "What the language model may cost in a day, all schools together; 0 for none."
  type        = number
}

variable "budget" {
  description = "The account that pays, empty for none, and what a month may cost."
  type        = object({ account = string, amount = number })
}

variable "watched" {
  description = "Names of the services by what they do, of the queue, and of the catalogue's instance."
  type        = object({ services = map(string), queue = string, catalogue = string })
}

variable "prices" {
  description = "Of a million tokens that the language model reads (prompt) and writes (answer)."
  type        = object({ prompt = number, answer = number })
}
