"""What a language model gives for a comment, and our words for it."""
