"""Essay feedback (S1): parse, find evidence, write, render, review."""

FEEDBACK_SECONDS = 5.0  # for the whole feedback on one essay (S1-5)
