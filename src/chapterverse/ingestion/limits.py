"""The limits that hold where nobody has set others (a test compares them with the settings, which name their sources)."""

from chapterverse.model import Limits

USUAL = Limits(books=20, bytes=200 * 2**20, pages=3000, words=600_000, seconds=300.0, megabytes=2048)

__all__ = ["USUAL", "Limits"]
