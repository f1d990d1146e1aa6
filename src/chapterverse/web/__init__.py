"""The HTTP interface and its pages."""
