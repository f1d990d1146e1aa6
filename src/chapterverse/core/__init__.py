"""Shared by all components: sentences with addresses, hits, ports, errors, names."""
