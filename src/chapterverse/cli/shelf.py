"""What commands show of any shelf (books, documents, textbooks), and how they take something off it."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated, Any

import typer

from chapterverse import composition
from chapterverse.cli.report import counted
from chapterverse.cli.session import settings
from chapterverse.cli.terminal import print_json, print_line, print_table, printable
from chapterverse.errors import BadRequest

Topics = Annotated[list[str] | None, typer.Argument(metavar="TOPIC…", help="What it is about from now on.")]
FoundTopics = Annotated[bool, typer.Option("--found", help="Again what was found when it was added.")]
AboutTopic = Annotated[list[str] | None, typer.Option("--topic", help="Only sources about this; may be given more than once.")]

if TYPE_CHECKING:
    from chapterverse.model import QualityReport, ShelvedBook
    from chapterverse.usecases.services import Services


HELPDESK = "helpdesk"  # Collection.HELPDESK by its value: the model brings numpy, which asking for help does without


def print_shelf(shelf: Services, heads: tuple[str, str], as_json: bool) -> None:
    """All that stands there, by title; heads: what one of it is called, and what is counted of it."""
    from chapterverse.usecases.books import list_books

    books = list_books(settings().school, shelf)
    if as_json:
        print_json([book_json(book) for book in books])
        return
    one, counted_of_it = heads
    by = "department" if shelf.collection == HELPDESK else "authors"
    print_table((one, "title", by, counted_of_it, "state"), [book_row(book) for book in books])


def remove_from(shelf: Services, book: str, yes: bool, as_json: bool) -> None:
    """Forget it and all that was kept of it, its file too, or it would be taken in again some day. Asks, unless yes.

    Raises NotFound."""
    from chapterverse.model import BookId
    from chapterverse.usecases.books import remove_with_file, show_book

    shelved = show_book(settings().school, BookId(book), shelf)
    if not yes:
        typer.confirm(f"Remove {printable(shelved.title)}?", err=True, abort=True)
    remove_with_file(settings().school, shelved.id, shelf, composition.uploads(settings()))
    print_json({"removed": shelved.id}) if as_json else print_line(f"Removed {shelved.title}.")


def show_topics(shelf: Services, book: str, topics: list[str] | None, found: bool, as_json: bool) -> None:
    """What it is about, once it is about these, or with `found` again about what was found. Raises NotFound, BadRequest."""
    from chapterverse.model import BookId
    from chapterverse.usecases.books import show_book
    from chapterverse.usecases.corrections import correct_book
    from chapterverse.usecases.topics import retopiced

    if topics and found:
        raise BadRequest("cli_topics_or_found")
    school, id = settings().school, BookId(book)
    if topics or found:
        correct_book(school, id, lambda before: retopiced(before, None if found else topics), shelf)
    told = list(show_book(school, id, shelf).topics)
    print_json({"book": book, "topics": told}) if as_json else print_line("; ".join(map(printable, told)))


def named(book: ShelvedBook) -> str:
    """Title and pages, to tell two books of one name apart."""
    report = report_of(book)
    return f"{book.title} ({counted(report.pages, 'page')})" if report else book.title


def report_of(book: ShelvedBook) -> QualityReport | None:
    """What is known of the version that is searched, else of the newest."""
    version = book.active or book.newest
    return version.report if version else None


def state_of(book: ShelvedBook) -> str:
    """How far the newest version has come, with the reason if it failed, and whether an older one is searched meanwhile."""
    newest = book.newest
    if newest is None:
        return "empty"
    why = f": {newest.message}" if newest.message else ""
    return f"{newest.state}{why}" + (" (an earlier version is searched)" if book.active and book.active != newest else "")


def book_row(book: ShelvedBook) -> tuple[str, ...]:
    """One line of the list."""
    sentences = book.active.sentences if book.active else None
    return book.id, book.title, book.department or ", ".join(book.authors), str(sentences or ""), state_of(book)


def book_json(book: ShelvedBook) -> dict[str, Any]:
    """A book as --json shows it. version: the one that is searched, null if none is."""
    report = report_of(book)
    return {
        "book": book.id,
        "title": book.title,
        "authors": list(book.authors),
        "file": book.file_name,
        "department": book.department,
        "state": book.newest.state if book.newest else None,
        "reason": book.newest.reason if book.newest else None,
        "message": book.newest.message if book.newest else None,
        "version": book.active.key.version if book.active else None,
        "sentences": book.active.sentences if book.active else None,
        "topics": list(book.topics),
        "report": asdict(report) if report else None,
    }
