"""Texts of the pages in every language: gettext catalogues (LANGUAGE/AREA.po), looked up by the English text.

Messages of the program, such as errors, are looked up by an id instead: see messages. And the sample book and
essay to try the program with."""

from collections.abc import Iterator, Mapping
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path

from bookreader.messages import entries

ENGLISH = "en"
LANGUAGES: Mapping[str, str] = {ENGLISH: "English", "de": "Deutsch"}


@cache
def catalogue(language: str) -> Mapping[str, str]:
    """Text by English text; empty for English itself. What is not translated is not in it."""
    if language == ENGLISH:
        return {}
    return {english: text for english, text in messages(language) if text}


def messages(language: str) -> Iterator[tuple[str, str]]:
    """The English texts of all areas, each with its translation."""
    for file in sorted(files(__name__).joinpath(language).iterdir(), key=lambda file: file.name):
        yield from entries(file)


SAMPLE_BOOK, SAMPLE_ESSAY = "on-liberty.pdf", "essay.md"


def samples() -> Traversable:
    """The folder of the samples: in the installed package, else in the repository."""
    packaged = files("chapterverse") / "samples"
    return packaged if packaged.is_dir() else Path(__file__).parents[3] / "samples"
