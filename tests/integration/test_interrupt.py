"""The program stopped by Ctrl-C while it adds a book; tests/chaos kills it."""

import json
import signal
import time
from pathlib import Path

import pytest

from chapterverse.library.store import SqlCatalog
from tests.support.home import SCHOOL, Home
from tests.support.pdfs import a_pdf
from tests.support.word_program import HELD

INTERRUPTED = 130


def as_shells_tell(code: int) -> int:
    """128 + the signal that ended it. Python 3.11 ends by SIGINT where one that was answered came while text was being
    executed, as dataclasses do when they are imported; to a shell that is the same as leaving with 130."""
    return 128 - code if code < 0 else code


def test_ctrl_c_is_said_and_recorded_and_the_same_command_finishes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    home, ship, held = Home(tmp_path / "home"), tmp_path / "ship.pdf", tmp_path / "held"
    monkeypatch.setenv("CHAPTERVERSE_MAX_BOOKS", "1")
    monkeypatch.setenv(HELD, str(held))
    ship.write_bytes(a_pdf())
    held.touch()
    catalog = SqlCatalog(f"sqlite:///{home.path / 'catalog.db'}")
    with home.start("sources", "add", ship) as program:
        while not catalog.books(SCHOOL):
            assert program.poll() is None
            time.sleep(0.01)
        program.send_signal(signal.SIGINT)
        held.unlink()
        said = program.communicate()[1]
    catalog.close()

    assert as_shells_tell(program.returncode) == INTERRUPTED
    assert said == "chapterverse: ship.pdf: interrupted. Add the file again to finish it.\n"
    [book] = json.loads(home.run("sources", "list", "--json").stdout)
    assert (book["source"], book["state"], book["reason"]) == ("ship", "failed", "interrupted")
    assert home.run("sources", "add", ship).stdout.startswith("Ship: added")
