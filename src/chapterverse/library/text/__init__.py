"""Plain text: sentence boundaries, passages, chunks, lists of entries."""
