"""What every command starts from; made once a process, when a command first asks."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from chapterverse import composition
from chapterverse.cli.outcome import note

if TYPE_CHECKING:
    from chapterverse.settings import Settings
    from chapterverse.usecases.services import Services


@cache
def settings() -> Settings:
    """From the environment. Raises BadRequest, which names the setting that is wrong."""
    from chapterverse.settings import read_settings

    return read_settings()


def repaired_services() -> Services:
    """The same, with an index that holds every book whole; what had to be rebuilt for that is said on standard error."""
    from chapterverse.usecases.indexing import repair_index

    for book in repair_index(settings().school, services()):
        note(f"The index did not hold all of {book.title} and was rebuilt from what is kept of it.")
    return services()


@cache
def services() -> Services:
    """The real things that the settings choose."""
    return composition.compose(settings())
