"""Settings and services of commands, made once per process at first use."""

from __future__ import annotations

import os
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

OTHERS = 0o077  # rights of other people on this machine
FOLDER = 0o700
HERE = "http://127.0.0.1:8080"  # the default of `chapterverse serve`
SERVED = "address"  # a file of the home folder: where `chapterverse serve` answers, or answered last


@cache
def settings() -> Settings:
    """The settings of the environment. Raises BadRequest, which names the wrong setting."""
    from chapterverse.settings import read_settings

    return read_settings()


def make_home(s: Settings) -> None:
    """Create the home folder if needed; it, its files and what this process makes belong to its owner alone. Raises BadRequest
    if it is not writable."""
    try:
        os.umask(OTHERS)
        s.home.mkdir(parents=True, exist_ok=True, mode=FOLDER)
        for path in (s.home, *s.home.iterdir()):
            found = path.stat()
            if found.st_mode & OTHERS and found.st_uid == os.geteuid():
                path.chmod(found.st_mode & ~OTHERS & 0o7777)
        TemporaryFile(dir=s.home).close()
    except OSError as error:
        raise BadRequest("home_not_writable", home=s.home, reason=error.strerror) from error


def here() -> str:
    """Where the pages are: as `serve` said when it was started last."""
    served = settings().home / SERVED
    return served.read_text("utf-8") if served.exists() else HERE


def repaired_services() -> CollectionServices:
    """The services, with an index that is complete; rebuilt books are reported on standard error."""
    from chapterverse.library.indexing import repair_index

    for book in repair_index(settings().school, services()):
        note(f"The index of {book.title} was incomplete and has been rebuilt.")
    return services()


@cache
def services() -> CollectionServices:
    """The services that the settings choose. Raises BadRequest if the home folder is not writable."""
    make_home(settings())
    return composition.compose(settings())


@cache
def services_of(collection: Collection) -> CollectionServices:
    """The services of that collection."""
    return composition.collection_services(settings(), services(), collection)
