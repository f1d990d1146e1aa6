"""Feedback on the essays of a class, written in a batch."""
