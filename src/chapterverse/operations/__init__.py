"""Retention, removal of schools, background tasks."""
