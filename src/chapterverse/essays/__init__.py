"""Essay feedback (S1): parse, find evidence, write, render, review."""

FEEDBACK_SECONDS = 30.0  # for the whole feedback on one essay; docs/language-models.md says how long models take
