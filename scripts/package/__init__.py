"""The built wheel in environments of its own: what it installs, and that it runs without the repository."""
