"""`chapterverse lecture` and `chapterverse lectures`."""

import json
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import pytest

from tests.support.pdfs import a_pdf
from tests.unit.conftest import Run

BEES = (
    "Bees visit flowers to gather nectar. While they drink, pollen clings to their hairs. "
    "They carry it to the next blossom, and so the plant is fertilised."
)
STEEL = "Steel is iron with a little carbon in it. More carbon makes it harder. Too much makes it brittle."
SAID = (
    "Today it is about bees, which visit the flowers in order to gather nectar there.",
    "While they are drinking, the pollen clings to the hairs that they have all over.",
    "They carry it to the next blossom, and that is how the plant is fertilised, isn't it?",
    "My bus was late again this morning, because somebody had parked right in its way.",
    "So I had to walk, and it rained, and now my shoes are wet and I am really cold.",
    "Would somebody please shut the window over there before we all catch our death?",
)


@pytest.fixture
def spoken(tmp_path: Path) -> Path:
    """A transcript of 36 seconds."""
    path = tmp_path / "bees.srt"
    times = [f"00:00:{at * 6:02d},000 --> 00:00:{at * 6 + 6:02d},000" for at in range(len(SAID))]
    path.write_text("\n\n".join(f"{at}\n{time}\n{text}" for at, (time, text) in enumerate(zip(times, SAID, strict=True))))
    return path


@pytest.fixture
def nature(tmp_path: Path) -> Path:
    path = tmp_path / "nature.pdf"
    path.write_bytes(a_pdf(BEES, STEEL))
    return path


@pytest.fixture
def added(run: Run, nature: Path) -> str:
    """Id of a book of lectures."""
    assert run("sources", "add", "-c", "lectures", nature).exit_code == 0
    return nature.stem


def windows(stdout: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in stdout.splitlines()]


def test_pages_appear_beside_what_is_said(run: Run, spoken: Path, added: str) -> None:
    result = run("lecture", spoken, "--books", added, "--json")

    first, *others = windows(result.stdout)
    assert result.exit_code == 0
    assert (first["window_index"], first["start"], first["end"]) == (0, 0.0, pytest.approx(18.0))
    assert first["text"] == " ".join(SAID[:3])
    assert first["segments"] == ["1", "2", "3"]
    assert first["citations"][0]["document"] == "nature"
    assert (first["citations"][0]["rank"], first["citations"][0]["page_number"]) == (1, 1)
    assert others[-1]["citations"] == []
    assert f"{len(others) + 1} windows, " in result.stderr


def test_in_a_pipe_it_is_plain_lines_and_a_transcript_may_come_from_one(run: Run, spoken: Path, added: str) -> None:
    piped = run("lecture", "-", "--books", added, "--json", stdin=" ".join(SAID))
    first, citation, *_ = run("lecture", spoken).stdout.splitlines()  # of all books

    assert windows(piped.stdout)[0]["text"] == " ".join(SAID[:3])
    assert first == f"[0:00:00 – 0:00:18] {' '.join(SAID[:3])}"
    assert citation.startswith("  1  0.")
    assert "Nature · p. 1 · “Bees visit flowers" in citation


def test_a_reranker_that_is_missing_is_told_of(run: Run, spoken: Path, added: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CHAPTERVERSE_RERANK", "no/such-model")

    result = run("lecture", spoken, "--books", added)

    assert "A model of lectures could not be loaded: " in result.stderr
    assert "Bees visit flowers" in result.stdout


def test_several_books_for_essays_are_cited_without_being_added(run: Run, spoken: Path, nature: Path, tmp_path: Path) -> None:
    (tmp_path / "steel.pdf").write_bytes(a_pdf(STEEL))
    run("sources", "add", nature, tmp_path / "steel.pdf")

    result = run("lecture", spoken, "--books", "steel", "--books", "nature", "--json")

    assert windows(result.stdout)[0]["citations"][0]["document"] == "nature"


def test_a_book_that_is_not_ready_is_named(run: Run, spoken: Path, nature: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patch:
        patch.setattr("chapterverse.library.versions.finish_version", Mock(side_effect=KeyboardInterrupt))
        run("sources", "add", "-c", "lectures", nature)

    assert "Nature is not cited" in run("lecture", spoken, "--books", "nature").stderr


def test_what_is_not_there_is_said(run: Run, spoken: Path, nature: Path, tmp_path: Path) -> None:
    without = run("lecture", spoken)
    assert (without.exit_code, "Add a source first" in without.stderr) == (3, True)
    run("sources", "add", "-c", "lectures", nature)
    (tmp_path / "broken.srt").write_text("1\n00:00:01,000 -> 00:00:02,000\nHello.\n\n2\n00:00:03,000 --> 00:00:04,000\nBye.\n")

    nobody, nothing = run("lecture", spoken, "--books", "nobody"), run("lecture", tmp_path / "nix.vtt", "--books", "nature")
    broken = run("lecture", tmp_path / "broken.srt", "--books", "nature")

    assert (nobody.exit_code, nothing.exit_code, broken.exit_code) == (3, 2, 2)
    assert "Line 1" in broken.stderr
