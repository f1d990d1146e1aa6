"""Framework of the command line."""
