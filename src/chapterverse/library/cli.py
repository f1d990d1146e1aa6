"""What commands show of any shelf (books, documents, textbooks), and how they take something off it.

`chapterverse books`: add, list, show, reindex, remove."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import asdict, replace
from functools import partial
from itertools import zip_longest
from typing import TYPE_CHECKING, Annotated, Any

import typer

from chapterverse import composition
from chapterverse.cli.files import GivenPdf, pdfs_at
from chapterverse.cli.session import services, settings
from chapterverse.cli.terminal import (
    INTERRUPTED,
    Json,
    complain,
    note,
    print_json,
    print_line,
    print_table,
    printable,
    progress_bar,
)
from chapterverse.core.errors import BadRequest, BookBusy, ChapterverseError, NotFound, PermanentError
from chapterverse.library.inspect_cli import counted, report_rows, summary

if TYPE_CHECKING:
    from chapterverse.core.book import BookId, QualityReport
    from chapterverse.library.model import ShelvedBook, VersionKey
    from chapterverse.library.services import Services

Topics = Annotated[list[str] | None, typer.Argument(metavar="TOPIC…", help="What it is about from now on.")]

FoundTopics = Annotated[bool, typer.Option("--found", help="Again what was found when it was added.")]

AboutTopic = Annotated[list[str] | None, typer.Option("--topic", help="Only sources about this; may be given more than once.")]

HELPDESK = "helpdesk"  # Collection.HELPDESK by its value: the model brings numpy, which asking for help does without


def print_shelf(shelf: Services, heads: tuple[str, str], as_json: bool) -> None:
    """All that stands there, by title; heads: what one of it is called, and what is counted of it."""
    from chapterverse.library.service import list_books

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
    from chapterverse.core.book import BookId
    from chapterverse.library.service import remove_with_file, show_book

    shelved = show_book(settings().school, BookId(book), shelf)
    if not yes:
        typer.confirm(f"Remove {printable(shelved.title)}?", err=True, abort=True)
    remove_with_file(settings().school, shelved.id, shelf, composition.uploads(settings()))
    print_json({"removed": shelved.id}) if as_json else print_line(f"Removed {shelved.title}.")


def show_topics(shelf: Services, book: str, topics: list[str] | None, found: bool, as_json: bool) -> None:
    """What it is about, once it is about these, or with `found` again about what was found. Raises NotFound, BadRequest."""
    from chapterverse.core.book import BookId
    from chapterverse.library.corrections import correct_book
    from chapterverse.library.service import show_book
    from chapterverse.library.versions import retopiced

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


app = typer.Typer(name="books", help="The books that essays are held against.", no_args_is_help=True)

Book = Annotated[str, typer.Argument(help="A book's name, as `books list` shows it.")]


@app.command()
def add(
    files: Annotated[
        list[str],
        typer.Argument(metavar="FILE…", help="PDFs with text on their pages; gs://… or s3://… is a file or all that begin so."),
    ],
    title: Annotated[str | None, typer.Option(help="Call the book so, whatever the file says.")] = None,
    author: Annotated[list[str] | None, typer.Option(help="Its author; may be given more than once.")] = None,
    as_json: Json = False,
) -> None:
    """Make the sentences of PDFs searchable. The same file again: nothing to do. Another file of the same name: a new version.

    A PDF that cannot become a book does not keep the others from being added; the exit code is then that of the first one."""
    pdfs = [pdf for given in files for pdf in pdfs_at(given, composition.limits(settings()))]
    if len(pdfs) > 1 and (title or author):
        raise BadRequest("cli_title_of_one_book")
    called = [described(pdf, one_line(title or ""), author or []) for pdf in pdfs]
    errors = [error for error in add_all(called, as_json) if error]
    if errors:
        raise typer.Exit(errors[0].exit_code)


def described(pdf: GivenPdf, title: str, authors: Sequence[str]) -> GivenPdf:
    """The same file, called so where a title or authors are given."""
    names = tuple(name for each in authors if (name := one_line(each)))
    return replace(pdf, title=title or pdf.title, authors=names or pdf.authors)


def one_line(text: str) -> str:
    """Without line ends, and with single blanks, as a title stands in lists."""
    return " ".join(text.split())


def add_all(files: Sequence[GivenPdf], as_json: bool) -> Iterator[ChapterverseError | None]:
    """Add one file after the other, the next one being read meanwhile; what each was refused with, if it was."""
    from chapterverse.library.service import ReadAhead

    reader = ReadAhead(services().parser)
    shelf = replace(services(), parser=reader)
    for file, following in zip_longest(files, files[1:]):
        reader.following = partial(unread, following)
        yield try_to_add(file, shelf, as_json)


def unread(file: GivenPdf | None) -> tuple[bytes, BookId] | None:
    """The file's bytes and the book that they will be; None where they are a book already. What is wrong with a file is said
    when its turn comes."""
    from chapterverse.library.service import key_of

    with suppress(ChapterverseError):
        if file is None:
            return None
        pdf = file.read()
        key = key_of(pdf, file.name, settings().school, services())
        return None if is_there(key) else (pdf, key.book)
    return None


def is_there(key: VersionKey) -> bool:
    """Whether that version of the book is the one that is searched."""
    try:
        active = services().catalog.book(key.school, key.book).active
    except NotFound:
        return False
    return active is not None and active.key == key


def add_sources(given: Sequence[GivenPdf], shelf: Services, as_json: bool) -> None:
    """One that cannot be read does not keep the others out; the exit code is then that of the first."""
    errors = [error for source in given if (error := try_to_add(source, shelf, as_json))]
    if errors:
        raise typer.Exit(errors[0].exit_code)


def try_to_add(file: GivenPdf, shelf: Services, as_json: bool, department: str | None = None) -> ChapterverseError | None:
    """Add one file and say so; what it was refused with, if it was. department: whose source it is at the help desk."""
    from chapterverse.library.service import add_book

    limits, school = composition.limits(settings(), shelf.collection), settings().school
    try:
        pdf = file.read()
        with progress_bar(file.name) as progress:
            called = partial(add_book, title=file.title, authors=file.authors, department=department)
            added = called(pdf, file.name, school, shelf, limits, progress=progress)
    except (PermanentError, BookBusy) as error:
        complain(error, of=file.name)
        return error
    except KeyboardInterrupt as error:
        note(f"{file.name}: interrupted. Add the file again to finish it.")
        raise typer.Exit(INTERRUPTED) from error
    print_added(added.book, added.outcome, as_json, added.replaced)
    return None


@app.command("list")
def list_all(as_json: Json = False) -> None:
    """All books, by title."""
    print_shelf(services(), ("book", "sentences"), as_json)


@app.command()
def show(book: Book, as_json: Json = False) -> None:
    """One book: what was understood of it, and what a teacher should know."""
    from chapterverse.core.book import BookId
    from chapterverse.library.service import show_book

    shelved = show_book(settings().school, BookId(book), services())
    if as_json:
        print_json(book_json(shelved))
        return
    rows = [("book", shelved.id), ("title", shelved.title), ("authors", ", ".join(shelved.authors))]
    report = report_of(shelved)
    print_table(
        ("", ""), [*rows, ("file", shelved.file_name), ("state", state_of(shelved)), *(report_rows(report) if report else [])]
    )


@app.command()
def reindex(
    book: Annotated[str | None, typer.Argument(help="Only this book; a name as `books list` shows it.")] = None,
    as_json: Json = False,
) -> None:
    """Build the index of the books anew from what is kept of them: nothing is parsed or embedded.

    Until a book's new index is whole, the old one is searched."""
    from chapterverse.core.book import BookId
    from chapterverse.library.indexing import reindex_book
    from chapterverse.library.service import ready_books

    ready = [shelved.id for shelved in ready_books(settings().school, services())]
    for name in ready if book is None else [BookId(book)]:
        print_added(reindex_book(settings().school, name, services()), "rebuilt", as_json)


@app.command()
def remove(
    book: Book,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Do not ask.")] = False,
    as_json: Json = False,
) -> None:
    """Forget a book and all that was kept of it."""
    remove_from(services(), book, yes, as_json)


def print_added(book: ShelvedBook, outcome: str, as_json: bool, replaced: ShelvedBook | None = None) -> None:
    """What came of adding a book, and what the teacher should know of it."""
    if as_json:
        print_json({"outcome": outcome, "replaced": replaced and book_json(replaced), **book_json(book)})
        return
    report = report_of(book)
    done = f"replaces {named(replaced)}" if replaced else outcome
    print_line(f"{book.title}: {done} as {book.id}" + (f", {summary(report)}." if report else "."))
    for warning in report.warnings if report else ():
        print_line(f"  {warning}")
