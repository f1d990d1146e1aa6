"""Two processes at work on the same book, and readers while a book is replaced."""

import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from chapterverse.core.hits import Scope
from chapterverse.essays.evidence import find_evidence
from chapterverse.essays.text import parse_essay
from chapterverse.library.store import SqlCatalog
from chapterverse.library.versions import make_whole
from tests.support.home import SCHOOL, Home
from tests.support.pdfs import a_pdf
from tests.support.shelved import empty_library, shelve
from tests.support.word_program import HELD

BUSY = 5
ESSAY = parse_essay("# Bees\n\nBees gather nectar.\n\nSteel holds carbon.\n")


def test_of_two_that_add_the_same_book_one_wins_and_the_other_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    held, home, pdf = tmp_path / "held", Home(tmp_path / "home"), tmp_path / "ship.pdf"
    pdf.write_bytes(a_pdf())
    held.touch()
    monkeypatch.setenv(HELD, str(held))
    catalog = SqlCatalog(f"sqlite:///{home.path / 'catalog.db'}")
    with home.start("sources", "add", pdf) as first:
        while not catalog.books(SCHOOL):
            assert first.poll() is None
            time.sleep(0.01)
        second = home.run("sources", "add", pdf)
        held.unlink()
        first.communicate()
    catalog.close()

    assert (first.returncode, second.returncode) == (0, BUSY)
    assert "right now" in second.stderr
    assert home.run("sources", "add", pdf).stdout.startswith("Ship: unchanged")
    assert home.contents()["leftovers"] == []


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
