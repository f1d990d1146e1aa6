"""Questions on documents, textbooks and the help desk (S2, S4, S5)."""

MIN_DAYS = 1  # conversations and lectures are stored at least this long, or nothing could be added to them
