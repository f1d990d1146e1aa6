"""Learning platforms by LTI 1.3: launches, assignments, grades."""
