"""Making of the data that our own models learn from, and their training."""
