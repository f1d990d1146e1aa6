"""Whether a sentence bears a claim out: numbered evidence, checks, quotations."""
