"""Chapterverse: every piece of feedback backed by the exact sentence of a book, with book, chapter and page."""

import os

__version__ = "0.2.0"

# Before numpy is loaded: its threads turn while they wait for each other, which beside other work takes five times the time.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "__all__")  # looking for some reads about every package, at each start
