"""What every command starts from; made once a process, when a command first asks."""

from __future__ import annotations

from functools import cache
from tempfile import TemporaryFile
from typing import TYPE_CHECKING

from chapterverse import composition
from chapterverse.cli.terminal import note
from chapterverse.core.errors import BadRequest

if TYPE_CHECKING:
    from chapterverse.core.book import Collection
    from chapterverse.library.services import CollectionServices
    from chapterverse.settings import Settings

HERE = "http://127.0.0.1:8080"  # as `chapterverse serve` listens unless it is told otherwise


@cache
def settings() -> Settings:
    """From the environment. Raises BadRequest, which names the setting that is wrong."""
    from chapterverse.settings import read_settings

    return read_settings()


def make_home(s: Settings) -> None:
    """The folder that holds everything, made if need be. Raises BadRequest where nothing can be written there."""
    try:
        s.home.mkdir(parents=True, exist_ok=True)
        TemporaryFile(dir=s.home).close()
    except OSError as error:
        raise BadRequest("home_not_writable", home=s.home, reason=error.strerror) from error


def repaired_services() -> CollectionServices:
    """The same, with an index that holds every book whole; what had to be rebuilt for that is said on standard error."""
    from chapterverse.library.indexing import repair_index

    for book in repair_index(settings().school, services()):
        note(f"The index did not hold all of {book.title} and was rebuilt from what is kept of it.")
    return services()


@cache
def services() -> CollectionServices:
    """The real things that the settings choose. Raises BadRequest where there is no place for them."""
    make_home(settings())
    return composition.compose(settings())


@cache
def services_of(collection: Collection) -> CollectionServices:
    """The same for another collection."""
    return composition.shelf(settings(), services(), collection)
