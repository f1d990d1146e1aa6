"""Addresses of sentences in schemas, for commands without the web's packages, too."""

from collections.abc import Callable, Mapping
from urllib.parse import quote, urlencode

from chapterverse.core.book import Collection
from chapterverse.library.reading import ReadingUrls

PREFIX = "/api/v1"


READERS: Mapping[Collection, str] = {Collection.TEXTBOOK: "/textbook", Collection.DOCUMENTS: "/ask/documents"}
"""Pages on which sources are read."""


def picture_address(collection: Collection, book: str, sentence: str, page: int) -> str:
    """Address of the picture of a page, counted from 0, with the sentence highlighted."""
    query = urlencode({"sentence": sentence} | ({} if collection is Collection.BOOKS else {"collection": collection.value}))
    return f"{PREFIX}/pages/{quote(book, safe='')}/{page}.png?{query}"


def viewer_address(collection: Collection, book: str, page: int, sentence: str | None = None) -> str:
    """Address of the viewer at a page, counted from 0, with the sentence highlighted. The address itself counts from 1."""
    query = {} if collection is Collection.BOOKS else {"collection": collection.value}
    query |= {"sentence": sentence} if sentence else {}
    return f"/books/{quote(book, safe='')}/{page + 1}{'?' if query else ''}{urlencode(query)}"


def reading_addresses(collection: Collection, book: str, page_name: Callable[[str], str] = "Page {}".format) -> ReadingUrls:
    """The addresses of a source's parts, pictures and pages. page_name: name of a page by its label."""
    at, in_collection = quote(book, safe=""), {"collection": collection.value}
    return ReadingUrls(
        part=lambda number: f"{READERS[collection]}/{at}/{number}",
        picture=lambda name: f"{PREFIX}/pictures/{at}?{urlencode({'name': name} | in_collection)}",
        page=lambda index: f"{PREFIX}/pages/{at}/{index}.png?{urlencode(in_collection)}",
        page_name=page_name,
    )
