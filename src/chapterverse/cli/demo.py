"""`chapterverse demo`: the sample book and the sample essay, which are part of the package."""

from __future__ import annotations

import os
from contextlib import ExitStack
from importlib.resources import as_file, files
from pathlib import Path
from typing import TYPE_CHECKING

from chapterverse.cli.session import settings
from chapterverse.cli.terminal import note
from chapterverse.essays import cli as essays
from chapterverse.library import cli as library

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable

BOOK, ESSAY = "on-liberty.pdf", "essay.md"

HOME = "CHAPTERVERSE_HOME"


def demo() -> None:
    """Index the sample book and give feedback on the sample essay, in a home of its own: the folder demo of the usual one.

    The first run fetches the embedding model (90 MB), if no package or folder holds it."""
    home = settings().home / "demo"
    os.environ[HOME] = str(home)
    settings.cache_clear()
    note(f"The demo's data is in {home}: set {HOME} to it for other commands, delete it to remove the demo.")
    with ExitStack() as unpacked:
        book, essay = (unpacked.enter_context(as_file(samples() / name)) for name in (BOOK, ESSAY))
        library.add_books([str(book)])
        essays.feedback(essay)


def samples() -> Traversable:
    """The folder of the samples: in the installed package, else in the repository."""
    packaged = files("chapterverse") / "samples"
    return packaged if packaged.is_dir() else Path(__file__).parents[3] / "samples"
