"""How good retrieval is, in figures: cases with gold in, measures with their intervals out (S1, "Relevance scoring")."""
