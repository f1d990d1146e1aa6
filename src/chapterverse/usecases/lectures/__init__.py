"""A lecture, the books beside it, and what of them appears while it is spoken (S3)."""
