"""Classes, assignments and what students submit for them, with or without a learning platform."""
