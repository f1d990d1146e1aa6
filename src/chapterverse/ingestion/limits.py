"""Limits of one school and of one file."""

from chapterverse.model import Limits

USUAL = Limits(books=20, bytes=200 * 2**20, pages=3000, words=600_000, seconds=300.0, megabytes=2048)  # S1 plans for 20 books
MAX_SOURCES = 500  # of a school: documents; as many textbooks, lecture books, and help desk sources

__all__ = ["MAX_SOURCES", "USUAL", "Limits"]
