"""`chapterverse index`: what is searched is moved or embedded anew, and is the same before and after."""

import json
import shutil
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from chapterverse import composition
from chapterverse.core.hits import Vectors
from chapterverse.search import plan
from tests.support.pdfs import PROSE, a_pdf
from tests.support.servers import Postgres
from tests.support.tiny_bert import tiny_bert
from tests.support.word_embedder import WordEmbedder
from tests.unit.conftest import Run

ESSAY = "The object of this essay is to assert one very simple principle."
USES = 4  # of a book: essays, Ask, textbooks, lectures


def test_books_of_another_model_are_found_again_when_they_are_embedded_anew(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second = tiny_bert(tmp_path / "first"), tiny_bert(tmp_path / "second", "cls")
    (tmp_path / "on-principle.pdf").write_bytes(a_pdf())
    monkeypatch.setattr(plan, "ESSAY_FEEDBACK", replace(plan.ESSAY_FEEDBACK, min_score=-1.0))
    monkeypatch.setenv("CHAPTERVERSE_EMBEDDING_MODEL", str(first))
    run("sources", "add", tmp_path / "on-principle.pdf")

    monkeypatch.setenv("CHAPTERVERSE_EMBEDDING_MODEL", str(second))
    alone = run("feedback", "--evidence", "-", "--json", stdin=ESSAY)
    done = run("index", "fill", "--reembed", "--json")
    by_second = run("feedback", "--evidence", "-", "--json", stdin=ESSAY)

    assert alone.exit_code == 3
    assert "chapterverse index fill --reembed" in alone.stderr
    assert [json.loads(line)["outcome"] for line in done.stdout.splitlines()] == USES * ["embedded anew"]
    assert json.loads(by_second.stdout)["evidence"]
    assert ((again := run("index", "fill", "--reembed")).stdout, "Sources done: 0." in again.stderr) == ("", True)


class Idle(WordEmbedder):
    """Knows its name, and embeds nothing."""

    def embed_passages(self, texts: Sequence[str]) -> Vectors:
        raise AssertionError


@dataclass(frozen=True)
class Library:
    """Two books that are searched by their words, and a program that can embed and parse only when it is to answer."""

    run: Run
    monkeypatch: pytest.MonkeyPatch

    def set(self, **settings: str) -> None:
        for name, value in settings.items():
            self.monkeypatch.setenv(f"CHAPTERVERSE_{name.upper()}", value)

    def evidence(self) -> list[tuple[str, str, float]]:
        """What is found, where, and how near."""
        self.monkeypatch.setattr(composition.ports, "embedder", lambda _: WordEmbedder())
        found = json.loads(self.run("feedback", "--evidence", "-", "--json", stdin=ESSAY).stdout)["evidence"]
        return [(each["sentence"]["book"], each["sentence"]["text"], round(each["score"], 3)) for each in found]

    def outcomes(self, *arguments: str) -> list[tuple[str, str]]:
        """Of `chapterverse index fill`, book by book."""
        self.monkeypatch.setattr(composition.ports, "embedder", lambda _: Idle())
        self.monkeypatch.setattr("bookreader.reading.parse_in_sandbox", None)
        result = self.run("index", "fill", *arguments, "--json")
        assert result.exit_code == 0, result.stderr
        return [(line["book"], line["outcome"]) for line in map(json.loads, result.stdout.splitlines())]


@pytest.fixture
def library(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Library:
    return Library(run, monkeypatch)


def add_two_books(library: Library, folder: Path) -> None:
    library.monkeypatch.setattr(composition.ports, "embedder", lambda _: WordEmbedder())
    for name, text in (("first.pdf", PROSE), ("second.pdf", f"{ESSAY} Nobody doubts it.")):
        (folder / name).write_bytes(a_pdf(text))
        assert library.run("sources", "add", folder / name).exit_code == 0


def test_the_index_moves_to_postgresql_and_back_and_finds_the_same(
    library: Library, home: Path, tmp_path: Path, postgres: Postgres
) -> None:
    library.set(catalog=postgres.new_database())
    add_two_books(library, tmp_path)
    in_chroma = library.evidence()

    library.set(index="pgvector")
    there = [library.outcomes(*arguments) for arguments in ((), (), ("--anew",))]
    in_postgresql = library.evidence()
    anew = home.with_name("anew")  # that has what is kept of the books, and nothing else
    shutil.copytree(home / "artefacts", anew / "artefacts")
    library.set(index="", home=str(anew))
    back = [library.outcomes() for _ in range(2)]

    both = USES * [("first", "filled"), ("second", "filled")]
    assert there == [both, [], both]
    assert back == [both, []]
    assert in_chroma
    assert in_chroma == in_postgresql == library.evidence()
