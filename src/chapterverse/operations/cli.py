"""`chapterverse schools remove`; `index fill` for all schools and collections."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Annotated

import typer

from chapterverse import composition
from chapterverse.cli.session import at_home, services, settings
from chapterverse.cli.terminal import Json, ProgressBar, note, print_json, print_json_line, print_line, printable, progress_bar
from chapterverse.core.errors import NotFound

if TYPE_CHECKING:
    from collections.abc import Iterator

    from chapterverse.library.model import CatalogBook
    from chapterverse.library.services import Intake
    from chapterverse.library.versions import Indexing

app = typer.Typer(name="schools", help="A school as a whole.", no_args_is_help=True)


@app.command()
def remove(
    school: Annotated[str, typer.Argument(help="The school's name: its folder in the bucket.")],
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Do not ask.")] = False,
    as_json: Json = False,
) -> None:
    """Remove a school with all its data: sources, vectors, essays, feedback, people, keys. Can be repeated after a failure."""
    from chapterverse.operations.retention import remove_school

    stores = composition.school_stores(at_home())
    if not yes:
        if not (stores.rows.holds(school) or stores.uploads.files(f"{school}/")):
            raise NotFound("school_empty", school=school)
        typer.confirm(f"Remove all data of {printable(school)} for good?", err=True, abort=True)
    removed = remove_school(school, stores, datetime.now(UTC))
    if as_json:
        print_json(removed)
        return
    rows = "".join(f", {count} of {table}" for table, count in removed.rows.items())
    print_line(
        f"Removed {removed.books} books, {removed.files} files, {removed.batches} batches{rows}."
        if removed.books or removed.files or removed.batches or rows
        else f"There was nothing of a school {school} here."
    )


index_app = typer.Typer(name="index", help="Fill the search index, or embed all sources anew.", no_args_is_help=True)
JsonLines = Annotated[bool, typer.Option("--json", help="Print JSON, a line a book.")]


@index_app.command()
def fill(
    *,
    reembed: Annotated[
        bool, typer.Option("--reembed", help="Embed all sources of another model again, with that of the settings.")
    ] = False,
    anew: Annotated[bool, typer.Option("--anew", help="Also what the index holds already, from stored vectors.")] = False,
    school: Annotated[str | None, typer.Option(help="Only this school.")] = None,
    as_json: JsonLines = False,
) -> None:
    """Fill a new or lost index with all stored sources. Nothing is parsed; only missing vectors are embedded.

    What the index holds completely is left alone, so the command can be repeated after an interruption. With another index in
    CHAPTERVERSE_INDEX it copies all searched sources there, while the present one answers. With --reembed each source is found
    again as soon as it is embedded; with a queue, tasks do the work."""
    now, count = f"{datetime.now(UTC):%Y%m%d%H%M%S}", 0
    intakes = composition.intake(settings(), services()).of_each()
    found = [(each, name) for each in intakes for name in each.services.catalog.schools() if school in {None, name}]
    if school and not found:
        raise NotFound("school_empty", school=school)
    for each, name in found:
        with progress_bar(name) as progress:
            done = reembedded(each, name, progress, now) if reembed else filled(each, name, progress, anew)
            for book, outcome in done:
                count += 1
                if as_json:
                    print_json_line({"school": name, "book": book.id, "outcome": outcome})
                else:
                    print_line(f"{name}: {book.title}: {outcome}.")
    note(f"Sources done: {count}. The others were complete, or hold nothing to search.")


def filled(intake: Intake, school: str, progress: ProgressBar, anew: bool) -> Iterator[tuple[CatalogBook, str]]:
    """Put the sources that the index lacks into it, or all anew."""
    from chapterverse.library.versions import make_whole

    books = intake.services.catalog.books(school)
    for number, book in enumerate(books):
        progress(book.title, number, len(books))
        if make_whole(book, intake.services, anew):
            yield book, "filled"


def reembedded(intake: Intake, school: str, progress: ProgressBar, now: str) -> Iterator[tuple[CatalogBook, str]]:
    """Embed the sources of another model with that of the settings: by tasks if there is a queue, else here."""
    from chapterverse.library.intake import reembed
    from chapterverse.library.versions import IndexByTasks, IndexHere

    def indexing_of(book: CatalogBook) -> Indexing:
        if settings().queue:
            return IndexByTasks(intake.queue, intake.batch_sentences, now)
        return IndexHere(lambda stage, done, total: progress(f"{stage} {book.title}", done, total))

    for book in reembed(school, intake, indexing_of):
        yield book, "asked for" if settings().queue else "embedded anew"
