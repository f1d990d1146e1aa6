"""Feedback without a language model: rules that say what they see, and nothing that they do not."""
