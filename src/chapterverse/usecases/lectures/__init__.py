"""A lecture and the books beside it: what is looked up while somebody speaks (S3)."""
