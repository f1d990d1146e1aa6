"""Addresses at which a sentence is seen: a picture of its page with the sentence lit; on a site, the page at its heading."""

from collections.abc import Callable, Mapping
from typing import Any
from urllib.parse import quote, urlencode

from chapterverse.model import Collection
from chapterverse.usecases.reading import Addresses
from chapterverse.web.operations import PREFIX

READERS: Mapping[Collection, str] = {Collection.TEXTBOOK: "/textbook", Collection.DOCUMENTS: "/ask/documents"}
"""Where sources are read in a browser."""


def page_links(collection: Collection, book: str, sentence: str, pages: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Of each page that the sentence stands on (page_index, page_label), where its picture is."""
    lit = urlencode({"sentence": sentence} | ({} if collection is Collection.BOOKS else {"collection": collection.value}))
    folder = f"{PREFIX}/pages/{quote(book, safe='')}"
    return [page | {"image": f"{folder}/{page['page_index']}.png?{lit}"} for page in pages]


def reading_addresses(collection: Collection, book: str, page_name: Callable[[str], str] = "Page {}".format) -> Addresses:
    """Where the parts, pictures and pages of a source are. page_name: what a page is called, by its label."""
    at, shelf = quote(book, safe=""), {"collection": collection.value}
    return Addresses(
        part=lambda number: f"{READERS[collection]}/{at}/{number}",
        picture=lambda name: f"{PREFIX}/pictures/{at}?{urlencode({'name': name} | shelf)}",
        page=lambda index: f"{PREFIX}/pages/{at}/{index}.png?{urlencode(shelf)}",
        page_name=page_name,
    )


def linked(told: Mapping[str, Any], collection: Collection) -> dict[str, Any]:
    """An answer as JSON (usecases/answers/answer_json.py), or what is made from one, with addresses wherever it names a
    sentence: pictures of its `pages`, and as `url` the first of them."""
    inner = {name: _linked(value, collection) for name, value in told.items()}
    return inner | _addresses(told, collection) if "pages" in told else inner


def _linked(value: Any, collection: Collection) -> Any:
    if isinstance(value, list):
        return [_linked(one, collection) for one in value]
    return linked(value, collection) if isinstance(value, Mapping) else value


def _addresses(told: Mapping[str, Any], collection: Collection) -> dict[str, Any]:
    pages = page_links(collection, told["book"], told["sentence_id"], told["pages"])
    return {"pages": pages, "url": pages[0]["image"] if pages else told["url"]}
