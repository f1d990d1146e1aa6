"""`chapterverse index`: all that is searched, of every school and application, moved, embedded anew, restored."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Annotated

import typer

from chapterverse import composition
from chapterverse.cli.session import services, settings
from chapterverse.cli.terminal import ProgressBar, note, print_json_line, print_line, progress_bar

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from chapterverse.library.model import CatalogBook
    from chapterverse.library.services import Intake

app = typer.Typer(name="index", help="All that is searched: moved, embedded anew, restored.", no_args_is_help=True)

School = Annotated[str | None, typer.Option(help="Only this school.")]

Json = Annotated[bool, typer.Option("--json", help="Print JSON, a line a book.")]


@app.command()
def fill(school: School = None, as_json: Json = False) -> None:
    """Put all that is searched into the index of the settings, from what is kept: nothing is parsed, and nothing embedded
    but sentences of sources that an older release kept no vectors of.

    For an index that is new, or was lost. What it holds whole is left alone, so the same again goes on where it was stopped."""
    from chapterverse.library.indexing import keep_missing, make_whole

    for each, name in shelves(school):
        books = each.services.catalog.books(name)
        with progress_bar(name) as progress:
            for number, book in enumerate(books):
                progress(book.title, number, len(books))
                filled, kept = make_whole(book, each.services), keep_missing(book, each.services)
                if filled or kept:
                    say(book, name, "filled", as_json)


@app.command()
def reembed(school: School = None, as_json: Json = False) -> None:
    """Embed all books anew by the model of the settings; a school is searched with it when all of its are done.

    Until then it is searched as it was, by whoever has EMBEDDER_BEFORE set. With a queue, its tasks do it."""
    from chapterverse.library.index_tasks import ask_to_reembed
    from chapterverse.library.reembedding import reembed_shelf

    now = f"{datetime.now(UTC):%Y%m%d%H%M%S}"
    for each, name in shelves(school):
        if settings().queue:
            say_all(ask_to_reembed(name, each, now), name, "asked for", as_json)
        else:
            with progress_bar(name) as progress:
                done = reembed_shelf(name, each.services, of_each(progress))
            say_all(done, name, "embedded anew", as_json)


@app.command()
def restore(
    school: Annotated[str | None, typer.Option(help="The school; else the one of the settings.")] = None, as_json: Json = False
) -> None:
    """Make the catalog of one school again, after it was lost, from what is kept of the books, and fill the index.

    Nothing is parsed or embedded. What only the catalog knew is in its backups: teachers' titles and corrections, keys."""
    from chapterverse.library.reembedding import restore_shelf

    name = school or settings().school
    for each in intakes():
        for restored in restore_shelf(name, each):
            if restored.book:
                say(restored.book, name, "restored", as_json)
            else:
                note(f"{restored.id}: not exactly one version of it is kept whole. Add its file again.")


def intakes() -> list[Intake]:
    """Those of every collection."""
    books = composition.intake(settings(), services())
    return [books, *books.others.values()]


def shelves(school: str | None) -> Iterator[tuple[Intake, str]]:
    """Each collection of each school that has something in it, or of that school."""
    for each in intakes():
        for name in each.services.catalog.schools():
            if school in {None, name}:
                yield each, name


def of_each(progress: ProgressBar) -> Callable[[CatalogBook], Callable[[str, int, int], None]]:
    """Progress that says of which book it is."""
    return lambda book: lambda stage, done, total: progress(f"{stage} {book.title}", done, total)


def say_all(books: Iterable[CatalogBook], school: str, outcome: str, as_json: bool) -> None:
    """A line for each."""
    for book in books:
        say(book, school, outcome, as_json)


def say(book: CatalogBook, school: str, outcome: str, as_json: bool) -> None:
    """What became of one book."""
    if as_json:
        print_json_line({"school": school, "book": book.id, "outcome": outcome})
    else:
        print_line(f"{school}: {book.title}: {outcome}.")
