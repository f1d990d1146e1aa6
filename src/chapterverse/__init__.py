"""Chapterverse: every piece of feedback backed by the exact sentence of a book, with book, chapter and page."""

__version__ = "0.1.0"
