"""A book page by page: its text in its place, its outline, search in it, and its file with highlights."""
