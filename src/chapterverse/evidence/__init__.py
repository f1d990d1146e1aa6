"""Sentences found, numbered and shown: the evidence block of a prompt and the Evidence section a student reads."""
