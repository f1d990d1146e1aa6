"""The sample book and essay to try the program with."""

from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path

SAMPLE_BOOK, SAMPLE_ESSAY = "on-liberty.pdf", "essay.md"


def samples() -> Traversable:
    """The folder of the samples: in the installed package, else in the repository."""
    packaged = files("chapterverse") / "samples"
    return packaged if packaged.is_dir() else Path(__file__).parents[3] / "samples"
