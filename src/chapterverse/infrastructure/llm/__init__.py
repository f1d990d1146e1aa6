"""Language models and re-rankers."""
