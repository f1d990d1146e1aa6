"""Pages that are pictures of text: which they are, how they lie, and their lines, read by text recognition (OCR)."""
