"""Feedback on an essay: rules, drafts of a language model, checks, rubric, rendering."""
