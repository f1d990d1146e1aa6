"""Operator tasks: retention, leaving, background tasks."""
