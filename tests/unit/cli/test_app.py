"""The commands: how many there are, and that each old name leads to the new one."""

from collections.abc import Iterator
from typing import Any

import pytest
import typer
from typer.core import TyperGroup
from typer.testing import CliRunner

from chapterverse.cli.app import RENAMED, app

MAX_COMMANDS = 45


def names(command: Any, *words: str) -> Iterator[str]:
    """The full name of each command that does something and is not hidden."""
    if not isinstance(command, TyperGroup):
        yield " ".join(words)
        return
    for word, child in command.commands.items():
        if not child.hidden:
            yield from names(child, *words, word)


COMMANDS = set(names(typer.main.get_command(app)))


def test_there_are_few_commands() -> None:
    assert len(COMMANDS) <= MAX_COMMANDS


@pytest.mark.parametrize("old", sorted(RENAMED))
def test_an_old_command_names_the_new_one(old: str) -> None:
    done = CliRunner().invoke(app, [*old.split(), "something"])

    assert done.exit_code == 2
    assert f"`chapterverse {RENAMED[old]}`" in done.stderr


@pytest.mark.parametrize("old", sorted(RENAMED))
def test_a_renamed_command_has_a_command_that_replaces_it(old: str) -> None:
    words = RENAMED[old].split()

    assert old not in COMMANDS
    assert any(" ".join(words[:length]) in COMMANDS for length in (1, 2, 3))


@pytest.mark.parametrize("kept", ["inspect", "feedback", "evaluate", "books add"])
def test_commands_that_scripts_use_keep_their_names(kept: str) -> None:
    assert kept in COMMANDS
