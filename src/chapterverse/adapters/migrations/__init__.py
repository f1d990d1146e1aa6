"""How the catalog's tables came to be what they are, step by step (Alembic)."""
