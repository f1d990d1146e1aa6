"""The program killed at any moment, then called again: all is as if it had never been killed.

Four moments in every run of the tests, as many as CHAPTERVERSE_KILLS says with `make attack-kills`."""

import os
import shutil
import time
from dataclasses import dataclass, replace
from pathlib import Path
from random import uniform
from typing import Any

import pytest

from tests.support.home import Home
from tests.support.pdfs import a_long_pdf

KILLS = int(os.environ.get("CHAPTERVERSE_KILLS", "4"))
REMOVE = ("sources", "remove", "ship", "--yes")
NOT_FOUND = 3  # a removal that had come to its end when it was killed


@dataclass(frozen=True)
class Stage:
    """A command, the home it finds, the contents that it leaves, and how long it works."""

    name: str
    command: tuple[str | Path, ...]
    home: Home
    contents: dict[str, Any]
    seconds: float


@pytest.fixture(scope="module")
def stages(tmp_path_factory: pytest.TempPathFactory) -> list[Stage]:
    """A book added, replaced, its index rebuilt, removed, by a program that nobody disturbs."""
    folder = tmp_path_factory.mktemp("undisturbed")
    old, new = folder / "old" / "ship.pdf", folder / "new" / "ship.pdf"
    for file, words in ((old, "The ship left harbour"), (new, "Bees gathered nectar")):
        file.parent.mkdir()
        file.write_bytes(a_long_pdf(words, pages=5))
    home, stages = Home(folder / "home"), []
    home.path.mkdir()
    for command in (("sources", "add", old), ("sources", "add", new), ("index", "fill", "--anew"), REMOVE):
        found = shutil.copytree(home.path, folder / f"home-{len(stages)}")
        began = time.monotonic()
        result = home.run(*command)
        assert result.returncode == 0, result.stderr
        seconds = time.monotonic() - began
        stages.append(Stage(str(command[1]), command, replace(home, path=found), home.contents(), seconds))
    return stages


@pytest.mark.parametrize("number", range(KILLS))
def test_a_program_killed_and_called_again_leaves_what_an_undisturbed_one_does(
    number: int, stages: list[Stage], tmp_path: Path
) -> None:
    stage = stages[number % len(stages)]
    home = replace(stage.home, path=shutil.copytree(stage.home.path, tmp_path / "home"))
    after = uniform(0, 1) * stage.seconds

    with home.start(*stage.command) as program:
        time.sleep(after)
        program.kill()
    print(f"{stage.name}: killed after {after:.3f} s")  # noqa: T201  # shown if it fails
    again = home.run(*stage.command)

    assert again.returncode in ((0, NOT_FOUND) if stage.name == "remove" else (0,)), again.stderr
    assert home.contents() == stage.contents
