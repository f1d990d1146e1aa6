"""Alembic migrations of the catalogue."""
