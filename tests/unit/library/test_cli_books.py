from pathlib import Path

import pytest

from chapterverse.library.cli import print_added
from chapterverse.library.intake import add_book
from tests.support.books import LIMITS
from tests.support.pdfs import a_locked_pdf, a_pdf
from tests.support.shelved import empty_library, shelve
from tests.unit.conftest import Run


def test_a_book_that_is_not_there_is_not_found(run: Run) -> None:
    assert run("sources", "list", "emma").exit_code == 3
    assert run("sources", "remove", "emma", "--yes").exit_code == 3


def test_each_file_that_is_refused_is_named_and_the_first_gives_the_exit_code(run: Run, tmp_path: Path) -> None:
    (tmp_path / "locked.pdf").write_bytes(a_locked_pdf("secret"))
    (tmp_path / "notes.pdf").write_bytes(b"Dear diary")

    result = run("books", "add", tmp_path / "locked.pdf", tmp_path / "missing.pdf", tmp_path / "notes.pdf")

    assert result.exit_code == 2
    assert [line.split(":")[1].strip() for line in result.stderr.splitlines()] == ["locked.pdf", "missing.pdf", "notes.pdf"]
    assert run("sources", "list").stdout.splitlines()[0].startswith("locked\t")
    assert "notes" not in run("sources", "list").stdout  # not a PDF at all: no source


@pytest.mark.parametrize("named", ["books", "documents"])
def test_a_book_is_added_to_all_its_uses_replaced_in_them_and_removed_from_them(run: Run, tmp_path: Path, named: str) -> None:
    def listed(collection: str) -> str:
        return run("sources", "list", "-c", collection).stdout

    for text in ("Bees gather nectar in the fields. They do so all day long.", "Bees rest in the hive while it rains outside."):
        (tmp_path / "bees.pdf").write_bytes(a_pdf(text))
        added = run("books", "add", tmp_path / "bees.pdf")
        assert added.exit_code == 0, added.output
        assert all(listed(each).endswith("ready\n") for each in ("books", "documents", "textbook"))
    assert "Bees rest in the hive" in run("ask", "Do bees rest in the hive while it rains outside?").stdout

    assert run("sources", "remove", "-c", named, "bees", "--yes").exit_code == 0

    assert not any("bees" in listed(each) for each in ("books", "documents", "textbook"))


def test_a_title_is_for_one_book(run: Run, tmp_path: Path) -> None:
    (tmp_path / "a.pdf").write_bytes(a_pdf())

    result = run("books", "add", tmp_path / "a.pdf", tmp_path / "a.pdf", "--title", "A")

    assert result.exit_code == 2
    assert "one by one" in result.stderr


def test_of_a_book_that_was_replaced_it_is_said_which(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with empty_library(tmp_path) as services:
        old, new = (
            add_book(text, "b.pdf", "s", services, LIMITS, title=name) for text, name in ((b"A.", "Old"), (b"B.", "New"))
        )

    print_added(new.book, new.outcome, as_json=False, replaced=new.replaced)

    assert old.replaced is None
    assert capsys.readouterr().out == "New: replaces Old (9 pages) as b, 9 pages, 9 words, 1 chapter, 1 sentence.\n"


def test_a_title_that_would_drive_the_terminal_is_shown_and_obeyed_nowhere(run: Run, home: Path) -> None:
    title = "Be\x1b]0;owned\x07es\x9b31m"
    with empty_library(home) as services:
        book = shelve(services, title, ["Bees gather nectar."], school="local").id

    book_json = run("sources", "list", "--json").stdout
    shown = [run("sources", *words).output for words in (["list"], ["list", book], ["remove", book], ["remove", book, "-y"])]

    assert all("owned" in text for text in shown)
    assert not [text for text in shown if set("\x1b\x07\x9b") & set(text)]
    assert not set("\x1b\x07\x9b") & set(book_json)
