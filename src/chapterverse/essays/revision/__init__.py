"""A later draft of an essay against an earlier one: what changed, and which comments were answered."""
