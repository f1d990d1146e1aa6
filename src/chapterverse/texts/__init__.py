"""Texts of the pages in every language: gettext catalogues (LANGUAGE/AREA.po), looked up by the English text.

Messages of the program, such as errors, are looked up by an id instead: see messages. And the sample book and
essay to try the program with."""

from collections.abc import Iterator, Mapping
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from io import BytesIO
from pathlib import Path

from babel.messages import Message
from babel.messages.pofile import read_po

ENGLISH = "en"
LANGUAGES: Mapping[str, str] = {ENGLISH: "English", "de": "Deutsch"}


@cache
def catalogue(language: str) -> Mapping[str, str]:
    """Text by English text; empty for English itself. What is not translated is not in it."""
    if language == ENGLISH:
        return {}
    return {str(each.id): str(each.string) for each in messages(language) if each.id and each.string and not each.fuzzy}


def messages(language: str) -> Iterator[Message]:
    """Yield the entries of all areas."""
    for file in sorted(files(__name__).joinpath(language).iterdir(), key=lambda file: file.name):
        yield from read_po(BytesIO(file.read_bytes()), locale=language)


SAMPLE_BOOK, SAMPLE_ESSAY = "on-liberty.pdf", "essay.md"


def samples() -> Traversable:
    """The folder of the samples: in the installed package, else in the repository."""
    packaged = files("chapterverse") / "samples"
    return packaged if packaged.is_dir() else Path(__file__).parents[3] / "samples"
