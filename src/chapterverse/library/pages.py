"""Pages of the site for sources: the teachers' list of books and one book, and the reader for textbooks and documents."""

from functools import partial
from itertools import groupby
from typing import Any

from flask import Response, request
from markupsafe import Markup

from chapterverse.accounts.keys import as_wide
from chapterverse.accounts.model import KeyScope, Person
from chapterverse.core.book import BookId, Collection, SentenceId
from chapterverse.core.errors import NotFound
from chapterverse.library.reading import Reading, ReadingPart, contents_of, read_part, where_is
from chapterverse.web.frame import WebSite, page, see_other
from chapterverse.web.language import Language, spoken
from chapterverse.web.operations import READERS, reading_addresses


def offer_books(site: WebSite) -> None:
    """Add GET /books and /books/{book}; their scripts use the API."""
    direct_upload = site.context.files is not None

    def books(who: Person) -> Response:
        return page("books", "Books", who, direct_upload=direct_upload)

    def book(who: Person, book: str) -> Response:
        return page("book", "Book", who, book=book, direct_upload=direct_upload)

    site.offer("GET", "/books", books, KeyScope.TEACHER)
    site.offer("GET", "/books/<book>", book, KeyScope.TEACHER)


def offer_textbook(site: WebSite) -> None:
    """Add the list of textbooks, and the readers."""

    def textbooks(who: Person) -> Response:
        may_add, direct_upload = as_wide(who.role, KeyScope.TEACHER), site.context.files is not None
        return page("textbooks", "Textbooks", who, direct_upload=direct_upload, may_add=may_add)

    site.offer("GET", "/textbook", textbooks)
    for collection, path in READERS.items():
        _offer_reader(site, collection, path)


def _offer_reader(site: WebSite, collection: Collection, path: str) -> None:
    services, max_characters = site.context.collections[collection], site.context.limits.question_characters

    def opened(who: Person, source: str) -> Response:
        """Redirect to the sentence in the query, else to the first chapter."""
        if id := request.args.get("sentence"):
            position = where_is(who.school, BookId(source), SentenceId(id), services)
            return see_other(_at(collection, source, position.part, position.stretch) + f"#{position.passage}")
        contents = contents_of(who.school, BookId(source), services)
        if not contents.parts:
            raise NotFound("nothing_to_read")
        return see_other(_at(collection, source, contents.parts[0].number))

    def part(who: Person, source: str, number: int) -> Response:
        addresses = reading_addresses(collection, source, partial(_page_name, spoken()))
        stretch = request.args.get("stretch", 1, type=int)
        read = read_part(contents_of(who.school, BookId(source), services), number, stretch, addresses, services)
        return _reader(read, collection, who, max_characters=max_characters, address=addresses.part)

    site.offer("GET", f"{path}/<source>", opened)
    site.offer("GET", f"{path}/<source>/<int:number>", part)


def _reader(read: Reading, collection: Collection, who: Person, **filled: Any) -> Response:
    book, parts = read.contents.book, read.contents.parts
    before, after = _neighbours(collection, book.id, read)
    return page(
        "reader",
        read.part.title or book.title,
        who,
        **filled,
        read=read,
        html=Markup(read.html),  # noqa: S704  # sanitized, or ours
        modules=[(module, list(of_it)) for module, of_it in groupby(parts, key=lambda part: part.module)],
        collection=collection.value,
        chat=collection is Collection.TEXTBOOK,
        back="/" + READERS[collection].split("/")[1],
        before=before,
        after=after,
    )


def _page_name(say: Language, label: str) -> str:
    return say("Page {label}", label=label) if label else say("View Page")


def _at(collection: Collection, source: str, number: int, stretch: int = 1) -> str:
    address = reading_addresses(collection, source).part(number)
    return address if stretch == 1 else f"{address}?stretch={stretch}"


def _neighbours(
    collection: Collection, source: str, read: Reading
) -> tuple[tuple[str, ReadingPart] | None, tuple[str, ReadingPart] | None]:
    """Addresses of what comes before and after what is read, and the parts they are of; None at the ends."""
    parts = read.contents.parts
    here = parts.index(read.part)
    before = (read.part, read.stretch - 1) if read.stretch > 1 else (parts[here - 1], 1) if here else None
    after = (read.part, read.stretch + 1) if read.stretch < read.stretches else None
    after = after or ((parts[here + 1], 1) if here + 1 < len(parts) else None)
    one, other = ((_at(collection, source, each[0].number, each[1]), each[0]) if each else None for each in (before, after))
    return one, other
