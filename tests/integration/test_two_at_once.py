"""Two processes at work on the same shelf, and readers while a book is replaced."""

import os
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import pytest

from chapterverse.core.hits import Scope
from chapterverse.essays.evidence import find_evidence
from chapterverse.essays.text.parse import parse_essay
from chapterverse.library.indexing import make_whole
from chapterverse.library.store import SqlCatalog
from tests.support.home import SCHOOL, Home
from tests.support.pdfs import a_long_pdf
from tests.support.preloaded import Running
from tests.support.shelved import empty_library, shelve

BUSY, FULL = 5, 2
ESSAY = parse_essay("# Bees\n\nBees gather nectar.\n\nSteel holds carbon.\n")


@pytest.fixture
def home(tmp_path: Path) -> Home:
    (tmp_path / "ship.pdf").write_bytes(a_long_pdf("The ship left harbour"))
    (tmp_path / "bees.pdf").write_bytes(a_long_pdf("Bees gathered nectar", pages=3))
    return Home(tmp_path / "home")


@contextmanager
def adding(home: Home, file: Path) -> Iterator[Running]:
    """The program at work on the file: begun, and not yet done."""
    catalog = SqlCatalog(f"sqlite:///{home.path / 'catalog.db'}")
    with home.start("sources", "add", file) as program:
        while not catalog.books(SCHOOL):
            assert program.poll() is None
            time.sleep(0.01)
        yield program
    catalog.close()


def test_of_two_that_add_the_same_book_one_wins_and_the_other_says_so(home: Home, tmp_path: Path) -> None:
    with adding(home, tmp_path / "ship.pdf") as first:
        second = home.run("sources", "add", tmp_path / "ship.pdf")
        first.communicate()

    assert sorted([first.returncode, second.returncode]) in ([0, 0], [0, BUSY])
    assert "right now" in second.stderr or "unchanged" in second.stdout
    assert home.run("sources", "add", tmp_path / "ship.pdf").stdout.startswith("Ship: unchanged")
    assert home.contents()["leftovers"] == []


def test_a_book_cannot_be_removed_while_it_is_added_and_the_remover_is_told(home: Home, tmp_path: Path) -> None:
    with adding(home, tmp_path / "ship.pdf") as adder:
        remover = home.run("sources", "remove", "ship", "--yes")
        adder.communicate()

    assert (adder.returncode, remover.returncode) in ((0, BUSY), (0, 0))  # 0: it came when the adder had finished
    shelf = home.contents()
    assert bool(shelf["catalog"]) == bool(shelf["index"]) == (remover.returncode == BUSY)


def test_two_books_added_at_once_are_both_there_if_there_is_room_and_one_if_not(
    home: Home, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(os.environ, "CHAPTERVERSE_MAX_BOOKS", "1")

    with (
        home.start("sources", "add", tmp_path / "ship.pdf") as ship,
        home.start("sources", "add", tmp_path / "bees.pdf") as bees,
    ):
        said = ship.communicate()[1] + bees.communicate()[1]

    assert sorted([ship.returncode, bees.returncode]) == [0, FULL], said
    assert "limit is 1" in said
    monkeypatch.setitem(os.environ, "CHAPTERVERSE_MAX_BOOKS", "2")
    assert home.run("sources", "add", tmp_path / "ship.pdf", tmp_path / "bees.pdf").returncode == 0
    assert len(home.contents()["index"]) == 2


def test_whoever_searches_while_a_book_is_replaced_or_rebuilt_finds_the_old_or_the_new(tmp_path: Path) -> None:
    versions = [[f"Bees gather nectar, edition {e}.", f"Steel holds carbon, edition {e}."] for e in range(6)]
    with empty_library(tmp_path) as services:
        book = shelve(services, "Nature", *versions[:1])

        def replace() -> None:
            for version in versions[1:]:
                shelve(services, "Nature", version)
                make_whole(book, services, anew=True)

        with ThreadPoolExecutor(1) as writer:
            replacing, found = writer.submit(replace), []
            while not replacing.done():
                evidence = find_evidence(ESSAY, Scope("school"), services).evidence
                found.append(sorted(one.passage.sentence.text for one in evidence))

    replacing.result()
    assert len(found) > 1
    assert all(texts in versions for texts in found)
