"""Retention, removal and archive of schools."""
