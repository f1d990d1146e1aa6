"""Where the evaluation data lies, which is no part of the project, and what scripts that read it have in common."""

import importlib
import os
import sys
from pathlib import Path
from typing import Annotated

import typer

from chapterverse import composition
from chapterverse.core.book import BookId, Collection
from chapterverse.core.errors import BadBook
from chapterverse.library.intake import add_book
from chapterverse.library.services import CollectionServices
from chapterverse.settings import read_settings

ADJACENT = Path(os.environ.get("CHAPTERVERSE_SHARED", Path(__file__).parents[3] / "shared"))
SYLLABI = "data/qa/syllabusqa"
Shared = Annotated[Path, typer.Argument(help="the folder of data that is not in the repository")]


def shared_folder(asked: Path, needed: str) -> Path:
    """The folder `needed` of the shared one. Ends the program with one line where it is not there."""
    folder = asked / needed
    if not folder.is_dir():
        sys.exit(f"skipped: there is no {folder}; name the shared folder, or set CHAPTERVERSE_SHARED")
    return folder


def of(shared: Path, module: str) -> object:
    """A module of ask-lecture/, which imports its neighbours by bare names."""
    if (folder := str(shared / "ask-lecture")) not in sys.path:
        sys.path.insert(0, folder)
    return importlib.import_module(module)


def syllabi(shared: Path, home: Path, school: str) -> tuple[CollectionServices, dict[str, BookId]]:
    """A school with all syllabi in a new home: its services, and the id of each by its file's name."""
    settings = read_settings().model_copy(update={"home": home.absolute(), "school": school})
    settings.home.mkdir(parents=True, exist_ok=True)
    services = composition.collection_services(settings, composition.compose(settings), Collection.DOCUMENTS)
    books = dict[str, BookId]()
    for pdf in sorted((shared_folder(shared, SYLLABI) / "pdf").glob("*.pdf")):
        try:
            added = add_book(pdf.read_bytes(), pdf.name, school, services, composition.limits(settings))
            books[pdf.stem] = added.book.id
        except BadBook as error:
            print(f"{pdf.name}: {error}", file=sys.stderr)
    return services, books
