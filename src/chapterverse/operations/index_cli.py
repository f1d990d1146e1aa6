"""`chapterverse index`: fill, re-embed or restore the search index of all schools and collections."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Annotated

import typer

from chapterverse import composition
from chapterverse.cli.session import services, settings
from chapterverse.cli.terminal import ProgressBar, note, print_json_line, print_line, progress_bar
from chapterverse.core.errors import BadRequest

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from chapterverse.library.model import CatalogBook
    from chapterverse.library.services import Intake

app = typer.Typer(name="index", help="All that is searched: moved, embedded anew, restored.", no_args_is_help=True)
Json = Annotated[bool, typer.Option("--json", help="Print JSON, a line a book.")]


@app.callback()
def index() -> None:
    """The search index."""


@app.command()
def fill(
    *,
    reembed: Annotated[
        bool,
        typer.Option("--reembed", help="Embed all sources again, with the model of the settings; then switch to it."),
    ] = False,
    restore: Annotated[
        bool, typer.Option("--restore", help="Rebuild a lost catalog of one school from the stored sources first.")
    ] = False,
    school: Annotated[
        str | None, typer.Option(help="Only this school; with --restore, without it the school of the settings.")
    ] = None,
    as_json: Json = False,
) -> None:
    """Fill a new or lost index with all stored sources. Nothing is parsed; only missing vectors are embedded.

    What the index holds completely is left alone, so the command can be repeated after an interruption. With --reembed a school
    is searched with its old model, named by EMBEDDER_BEFORE, until all its sources are done; with a queue, tasks do the work.
    With --restore, corrections, teachers' titles and keys are not restored: they are only in the catalog's backups."""
    if reembed and restore:
        raise BadRequest("cli_options_exclude", first="--reembed", second="--restore")
    if restore:
        restore_catalog(school or settings().school, as_json)
    elif reembed:
        reembed_all(school, as_json)
    else:
        fill_all(school, as_json)


def fill_all(school: str | None, as_json: bool) -> None:
    """Put the sources that the index lacks into it, and print each."""
    from chapterverse.library.indexing import make_whole, store_missing

    for each, name in collections_of(school):
        books = each.services.catalog.books(name)
        with progress_bar(name) as progress:
            for number, book in enumerate(books):
                progress(book.title, number, len(books))
                filled, kept = make_whole(book, each.services), store_missing(book, each.services)
                if filled or kept:
                    say(book, name, "filled", as_json)


def reembed_all(school: str | None, as_json: bool) -> None:
    """Embed all sources with the model of the settings, here or by tasks, and print each."""
    from chapterverse.library.reembedding import reembed_collection
    from chapterverse.library.tasks import ask_to_reembed

    now = f"{datetime.now(UTC):%Y%m%d%H%M%S}"
    for each, name in collections_of(school):
        if settings().queue:
            say_all(ask_to_reembed(name, each, now), name, "asked for", as_json)
        else:
            with progress_bar(name) as progress:
                done = reembed_collection(name, each.services, of_each(progress))
            say_all(done, name, "embedded anew", as_json)


def restore_catalog(school: str, as_json: bool) -> None:
    """Rebuild the catalog of one school from its stored sources, fill the index, and print each source."""
    from chapterverse.library.reembedding import restore_collection

    for each in intakes():
        for restored in restore_collection(school, each):
            if restored.book:
                say(restored.book, school, "restored", as_json)
            else:
                note(f"{restored.id}: not exactly one version of it is kept whole. Add its file again.")


def intakes() -> list[Intake]:
    """The intake of every collection."""
    books = composition.intake(settings(), services())
    return [books, *books.others.values()]


def collections_of(school: str | None) -> Iterator[tuple[Intake, str]]:
    """Each collection of each school that has something in it, or of that school."""
    for each in intakes():
        for name in each.services.catalog.schools():
            if school in {None, name}:
                yield each, name


def of_each(progress: ProgressBar) -> Callable[[CatalogBook], Callable[[str, int, int], None]]:
    """A progress callback for each book, which shows its title."""
    return lambda book: lambda stage, done, total: progress(f"{stage} {book.title}", done, total)


def say_all(books: Iterable[CatalogBook], school: str, outcome: str, as_json: bool) -> None:
    """Print a line for each book."""
    for book in books:
        say(book, school, outcome, as_json)


def say(book: CatalogBook, school: str, outcome: str, as_json: bool) -> None:
    """Print what was done with one book."""
    if as_json:
        print_json_line({"school": school, "book": book.id, "outcome": outcome})
    else:
        print_line(f"{school}: {book.title}: {outcome}.")
