"""Questions on documents, textbooks and the help desk (S2, S4, S5)."""
