"""Feedback on the essays of whole classes overnight: handed in, written essay by essay, collected, forgotten."""
