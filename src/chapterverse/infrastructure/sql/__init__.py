"""The catalogue's database."""
