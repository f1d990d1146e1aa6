"""The program stopped while it adds a book: by Ctrl-C, and by a kill that it cannot answer."""

import json
import os
import signal
import time
from pathlib import Path

import pytest

from chapterverse.library.store import SqlCatalog
from tests.support.home import SCHOOL, Home
from tests.support.pdfs import a_long_pdf, a_pdf
from tests.support.word_program import HELD

INTERRUPTED = 130


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Home:
    monkeypatch.setenv("CHAPTERVERSE_MAX_BOOKS", "1")
    monkeypatch.setenv(HELD, str(tmp_path / "held"))
    (tmp_path / "ship.pdf").write_bytes(a_pdf())
    (tmp_path / "bees.pdf").write_bytes(a_long_pdf("Bees gathered nectar", pages=1))
    return Home(tmp_path / "home")


def stopped(home: Home, file: Path, how: signal.Signals) -> tuple[int, str]:
    """Exit code, as shells tell it, and standard error of `sources add`, stopped when the book is begun and cannot end."""
    held = Path(os.environ[HELD])
    held.touch()
    catalog = SqlCatalog(f"sqlite:///{home.path / 'catalog.db'}")
    with home.start("sources", "add", file) as program:
        while not catalog.books(SCHOOL):
            assert program.poll() is None
            time.sleep(0.01)
        program.send_signal(how)
        held.unlink()
        said = program.communicate()[1]
    catalog.close()
    return as_shells_tell(program.returncode), said


def as_shells_tell(code: int) -> int:
    """128 + the signal that ended it. Python 3.11 ends by SIGINT where one that was answered came while text was being
    executed, as dataclasses do when they are imported; to a shell that is the same as leaving with 130."""
    return 128 - code if code < 0 else code


def states(home: Home) -> dict[str, tuple[str, str | None]]:
    return {
        book["source"]: (book["state"], book["reason"]) for book in json.loads(home.run("sources", "list", "--json").stdout)
    }


def test_ctrl_c_is_said_and_recorded_and_the_same_command_finishes(home: Home, tmp_path: Path) -> None:
    exit_code, said = stopped(home, tmp_path / "ship.pdf", signal.SIGINT)

    assert (exit_code, said) == (INTERRUPTED, "chapterverse: ship.pdf: interrupted. Add the file again to finish it.\n")
    assert states(home) == {"ship": ("failed", "interrupted")}
    assert home.run("sources", "add", tmp_path / "ship.pdf").stdout.startswith("Ship: added")


def test_a_book_that_a_kill_left_half_added_takes_no_place(home: Home, tmp_path: Path) -> None:
    stopped(home, tmp_path / "ship.pdf", signal.SIGKILL)

    assert home.run("sources", "add", tmp_path / "bees.pdf").returncode == 0
    assert states(home) == {"ship": ("failed", "interrupted"), "bees": ("ready", None)}
