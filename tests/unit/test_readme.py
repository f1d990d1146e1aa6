"""The README says what the program does: its tables are compared with the program, its examples with the sample book."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import typer
from typer.core import TyperGroup

from chapterverse.cli.app import app
from chapterverse.cli.terminal import INTERRUPTED, NOBODY_READS
from chapterverse.core.book import Book, BookId
from chapterverse.core.errors import ChapterverseError
from chapterverse.library.artefacts import sentence_json
from chapterverse.library.inspect_cli import summary
from chapterverse.library.pdf.parse import parse_book
from chapterverse.settings import Settings

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text("utf-8")


def commands(command: Any, name: str) -> Iterator[str]:
    """Full names of all commands that do something."""
    below = command.commands if isinstance(command, TyperGroup) else {}
    for word, child in below.items():
        yield from commands(child, f"{name} {word}")
    if not below:
        yield name


def final_errors(root: type[ChapterverseError]) -> Iterator[type[ChapterverseError]]:
    """The errors that are raised: those without kinds of their own."""
    for child in root.__subclasses__():
        yield from final_errors(child) if child.__subclasses__() else [child]


def test_no_setting_is_named_that_does_not_exist() -> None:
    named = set(re.findall(r"CHAPTERVERSE_(\w+)", README))

    assert named <= {name.upper() for name in Settings.model_fields}


def test_every_command_is_told_and_every_command_told_exists() -> None:
    told = re.findall(r"^\| `(chapterverse [a-z ]+[a-z])", README, re.MULTILINE)

    assert sorted(told) == sorted(commands(typer.main.get_command(app), "chapterverse"))


def test_every_exit_code_is_told() -> None:
    told = [int(code) for code in re.findall(r"^\| (\d+) \|", README, re.MULTILINE)]

    assert told == sorted({0, 1, INTERRUPTED, NOBODY_READS} | {error.exit_code for error in final_errors(ChapterverseError)})


@pytest.fixture(scope="module")
def sample() -> Book:
    return parse_book((ROOT / "samples" / "on-liberty.pdf").read_bytes(), BookId("on-liberty"))


def test_the_sample_book_is_summed_up_as_it_is_read(sample: Book) -> None:
    assert f"On Liberty: added as on-liberty, {summary(sample.report)}.\n" in README


def test_the_sentence_shown_is_one_of_the_sample_book(sample: Book) -> None:
    [shown] = re.findall(r"```json\n(.*?)```", README, re.DOTALL)

    assert json.loads(shown) in [sentence_json(sentence) for sentence in sample.sentences]
