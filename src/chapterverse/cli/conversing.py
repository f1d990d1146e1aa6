"""Questions one after the other, each understood after those before it."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated

import typer

from chapterverse.cli.outcome import note
from chapterverse.cli.session import settings
from chapterverse.errors import BadRequest

if TYPE_CHECKING:
    from chapterverse.usecases.answers.answer import Answer
    from chapterverse.usecases.services import Services

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


def hint(answer: Answer, shelf: Services) -> None:
    """Say what may be done where nothing was found: thresholds are measured on other texts, or of another embedding model."""
    from chapterverse.usecases.calibration import accepted

    if answer.nothing and accepted(settings().school, shelf) is None:
        note(
            f"If this should be in them: how near is near enough was not measured on your texts yet. `chapterverse calibrate "
            f"{shelf.collection} --accept` does so."
        )


def asked_in(told: str) -> str:
    """Raises BadRequest where nothing is asked."""
    if not any(character.isalnum() for character in told):
        raise BadRequest("cli_question_empty")
    return told
