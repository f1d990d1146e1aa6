"""Citations for a live lecture (S3): transcript, windows, citations, events."""
