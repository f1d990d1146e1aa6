"""Folders of pages, written in a test, packed and read as a book."""

from collections.abc import Mapping

from bookreader.html.files import File, pack
from bookreader.worker import read_source
from chapterverse.core.book import Book, BookId

Pages = Mapping[str, str | bytes]
"""By path in the folder."""


def folder(pages: Pages) -> bytes:
    """The zip that the folder becomes."""
    return pack(File(path, text.encode() if isinstance(text, str) else text) for path, text in pages.items())


def read_folder(pages: Pages) -> Book:
    """The book that the folder becomes."""
    return read_source(folder(pages), BookId("book"))


def read_page(text: str, path: str = "page.md", **others: str) -> Book:
    """A folder of this page, and of other files without which it is read otherwise."""
    return read_folder({path: text, **others})


def texts(book: Book) -> list[str]:
    """Its sentences."""
    return [sentence.text for sentence in book.sentences]


def links(book: Book) -> list[str | None]:
    """Where each of its sentences is read."""
    return [sentence.address.url for sentence in book.sentences]
