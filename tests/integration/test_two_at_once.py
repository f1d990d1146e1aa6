"""Two processes at work on the same book."""

import time
from pathlib import Path

import pytest

from chapterverse.library.store import SqlCatalog
from tests.support.home import SCHOOL, Home
from tests.support.pdfs import a_pdf
from tests.support.word_program import HELD

BUSY = 5


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
