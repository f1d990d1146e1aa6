"""`chapterverse schools remove` and `chapterverse expire`."""

from __future__ import annotations

from dataclasses import asdict
from datetime import UTC, datetime
from typing import Annotated

import typer

from chapterverse import composition
from chapterverse.cli.session import make_home, settings
from chapterverse.cli.terminal import print_json, print_line, printable

app = typer.Typer(name="schools", help="A school as a whole.", no_args_is_help=True)


@app.callback()
def schools() -> None:
    """A school as a whole."""


@app.command()
def remove(
    school: Annotated[str, typer.Argument(help="The school's name: its folder in the bucket.")],
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Do not ask.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Remove a school with all its data: sources, vectors, essays, feedback, people, keys. Can be repeated after a failure."""
    from chapterverse.operations.retention import remove_school

    if not yes:
        typer.confirm(f"Remove all data of {printable(school)} for good?", err=True, abort=True)
    make_home(settings())
    removed = remove_school(school, composition.places(settings()), datetime.now(UTC))
    if as_json:
        print_json({"school": school, **asdict(removed)})
        return
    rows = "".join(f", {count} of {table}" for table, count in removed.rows.items())
    print_line(
        f"Removed {removed.books} books, {removed.files} files, {removed.batches} batches; of the catalog{rows or ' nothing'}."
    )


def expire() -> None:
    """Remove data older than CHAPTERVERSE_KEEP_DAYS, of every school. `serve` does this every day."""
    from chapterverse.operations.retention import forget_old

    gone = forget_old(composition.retention(settings()))
    print_line(
        f"Removed feedback on {gone.feedback} essays, {gone.batches} batches of essays, {gone.conversations} conversations, "
        f"and citations of {gone.lectures} lectures."
    )
