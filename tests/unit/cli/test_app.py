"""The commands: how many there are, and names that scripts rely on."""

from collections.abc import Iterator
from typing import Any

import pytest
import typer
from typer.core import TyperGroup

from chapterverse.cli.app import app


def names(command: Any, *words: str) -> Iterator[str]:
    """The full name of each command that does something and is not hidden."""
    if not isinstance(command, TyperGroup):
        yield " ".join(words)
        return
    for word, child in command.commands.items():
        if not child.hidden:
            yield from names(child, *words, word)


COMMANDS = set(names(typer.main.get_command(app)))


@pytest.mark.parametrize("kept", ["inspect", "feedback", "evaluate", "books add"])
def test_commands_that_scripts_use_keep_their_names(kept: str) -> None:
    assert kept in COMMANDS
