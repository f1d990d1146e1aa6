"""Sentences, languages, and texts without pages."""
