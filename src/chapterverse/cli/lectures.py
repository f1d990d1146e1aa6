"""`chapterverse lectures`: add, list, remove what is cited beside lectures, and nowhere else."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from chapterverse import composition
from chapterverse.cli.books import add_sources
from chapterverse.cli.folders import sources_at
from chapterverse.cli.session import services_of, settings
from chapterverse.cli.shelf import print_shelf, remove_from
from chapterverse.cli.terminal import Json

if TYPE_CHECKING:
    from chapterverse.usecases.services import Services

app = typer.Typer(name="lectures", help="Books that only lectures cite.", no_args_is_help=True)


def shelf() -> Services:
    """The real things, for lectures. Raises BadRequest where there is no place for them."""
    from chapterverse.model import Collection

    return services_of(Collection.LECTURES)


@app.command()
def add(
    files: Annotated[list[str], typer.Argument(metavar="FILE…", help="PDFs, or folders or zips of Markdown or HTML pages.")],
    as_json: Json = False,
) -> None:
    """Make books citable beside lectures. The same file again: nothing to do. Another of the same name: a new version.

    A book of another shelf (`books list`, `textbook list`, `documents list`) need not be added: lectures cite it, too."""
    limits = composition.limits(settings(), shelf().collection)
    add_sources([source for file in files for source in sources_at(file, limits, {})], shelf(), as_json)


@app.command("list")
def list_all(as_json: Json = False) -> None:
    """All of them, by title."""
    print_shelf(shelf(), ("book", "paragraphs"), as_json)


@app.command()
def remove(
    book: Annotated[str, typer.Argument(help="A book's name, as `lectures list` shows it.")],
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Do not ask.")] = False,
    as_json: Json = False,
) -> None:
    """Forget a book and all that was kept of it."""
    remove_from(shelf(), book, yes, as_json)
