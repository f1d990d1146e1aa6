"""Questions one after the other, each understood after those before it."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import Annotated

import typer

from chapterverse.cli.outcome import note
from chapterverse.errors import BadRequest

Question = Annotated[
    str | None, typer.Argument(help="What you want to know. Without it, questions are read line by line: a conversation.")
]


def questions(given: str | None) -> Iterator[str]:
    """The one given, or each line that is typed, until the end or an empty line. Raises BadRequest for one without a word."""
    if given is not None:
        yield asked_in(given)
        return
    if sys.stdin.isatty():
        note("Ask, a question a line; an empty line ends.")
    for line in sys.stdin.buffer:
        if not (told := line.decode("utf-8", "replace").strip()):
            return
        yield asked_in(told)


def asked_in(told: str) -> str:
    """Raises BadRequest where nothing is asked."""
    if not any(character.isalnum() for character in told):
        raise BadRequest("The question is empty: write what you want to know.")
    return told
