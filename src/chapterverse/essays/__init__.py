"""Essay feedback (S1): parse, find evidence, write, render, review."""
