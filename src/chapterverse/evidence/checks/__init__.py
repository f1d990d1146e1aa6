"""What words alone tell of a claim and a sentence: numbers, names, order, how far it goes, negation (each a Check)."""
