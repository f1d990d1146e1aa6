"""Answers to questions: numbered sources in, claims out that each cite one. An application is a style of it."""
