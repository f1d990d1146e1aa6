"""An index that was damaged from outside is noticed by the next command, rebuilt, and that is said."""

import json
import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from tests.support.home import Home
from tests.support.pdfs import a_pdf

BEES = "Bees visit flowers to gather nectar. Pollen clings to their hairs. They carry it to the next blossom."
ESSAY = "# Insects\n\nBees gather nectar from flowers and carry pollen on their hairs.\n"
SAID = "chapterverse: The index of Nature was incomplete and has been rebuilt.\n"


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Home:
    folder = tmp_path_factory.mktemp("whole")
    (folder / "nature.pdf").write_bytes(a_pdf(BEES, "Steel gets harder with more carbon."))
    home = Home(folder / "home")
    assert home.run("sources", "add", folder / "nature.pdf", "--title", "Nature").returncode == 0
    return home


@pytest.fixture(scope="module")
def essay(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("essay") / "essay.md"
    file.write_text(ESSAY)
    return file


@pytest.fixture(scope="module")
def before(whole: Home, essay: Path) -> str:
    """The evidence while the index is sound."""
    return whole.run("feedback", "--evidence", essay, "--json").stdout


def test_a_damaged_index_is_rebuilt_by_the_next_search_which_then_finds_the_same(
    whole: Home, essay: Path, before: str, tmp_path: Path
) -> None:
    home = replace(whole, path=shutil.copytree(whole.path, tmp_path / "home"))
    for copy in (home.path / "vectors").rglob("*.vectors"):
        copy.write_bytes(b"")

    found, again = (home.run("feedback", "--evidence", essay, "--json") for _ in range(2))

    assert (found.returncode, found.stderr) == (0, SAID)
    assert json.loads(found.stdout) == json.loads(before)
    assert (again.stderr, again.stdout) == ("", found.stdout)
    home.run("index", "fill")  # of the book's other uses
    assert home.contents() == whole.contents()
