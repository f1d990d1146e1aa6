"""What every shelf's commands have in common."""

import json
from dataclasses import replace
from pathlib import Path
from unittest.mock import Mock

import pytest

from bookreader.reading import parse_in_sandbox
from chapterverse.citations.records import SentenceRecord
from chapterverse.core.book import BookId
from chapterverse.infrastructure.storage.folder import FolderUploads
from chapterverse.library.cli import ranges, report_rows
from chapterverse.library.model import SCHOOL_LIMITS, VersionKey
from chapterverse.search import plan
from tests.support.books import report
from tests.support.pdfs import PROSE, a_locked_pdf, a_pdf
from tests.support.shelved import empty_library, shelve
from tests.support.tiny_bert import tiny_bert
from tests.unit.conftest import Run

ESSAY = "The object of this essay is to assert one very simple principle."
USES = 4  # of a book: essays, Ask, textbooks, lectures


def test_each_file_that_is_refused_is_named_and_the_first_gives_the_exit_code(run: Run, locked: Path, tmp_path: Path) -> None:
    (tmp_path / "notes.pdf").write_bytes(b"Dear diary")

    result = run("sources", "add", locked, tmp_path / "missing.pdf", tmp_path / "notes.pdf")

    assert result.exit_code == 2
    assert [line.split(":")[1].strip() for line in result.stderr.splitlines()] == ["locked.pdf", "missing.pdf", "notes.pdf"]
    assert [line.split("\t")[0] for line in run("sources", "list").stdout.splitlines()] == ["locked"]  # notes is no PDF at all


def test_ctrl_c_is_recorded_and_may_go_on(run: Run, home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (ship := tmp_path / "ship.pdf").write_bytes(a_pdf())
    monkeypatch.setenv("CHAPTERVERSE_MAX_BOOKS", "1")
    with monkeypatch.context() as patch:
        patch.setattr("chapterverse.library.versions.finish_version", Mock(side_effect=KeyboardInterrupt))
        stopped = run("sources", "add", ship)
    [left] = json.loads(run("sources", "list", "--json").stdout)
    with empty_library(home) as services, services.catalog.claim("local", BookId("ship")):
        busy = run("sources", "add", ship)

    said = "chapterverse: ship.pdf: interrupted. Add the file again to finish it.\n"
    assert (stopped.exit_code, stopped.stderr.endswith(said)) == (130, True)
    assert (left["source"], left["state"], left["reason"]) == ("ship", "failed", "interrupted")
    assert (busy.exit_code, "right now" in busy.stderr) == (5, True)
    assert [run("sources", "add", ship).stdout.split()[1].strip(",") for _ in range(2)] == ["added", "unchanged"]


def test_listing_leaves_alone_what_a_killed_program_left(run: Run, home: Path) -> None:
    with empty_library(home) as services:
        services.catalog.begin(VersionKey("local", BookId("left"), "v1", "words"), "left.pdf")

    assert [run("sources", "list", *more).stdout.count("uploaded") for more in ([], ["left"])] == [1, 1]


def test_a_book_is_added_to_all_its_uses_replaced_in_them_and_removed_from_them(run: Run, tmp_path: Path) -> None:
    def listed(collection: str) -> str:
        return run("sources", "list", "-c", collection).stdout

    for text in ("Bees gather nectar in the fields. They do so all day long.", "Bees rest in the hive while it rains outside."):
        (tmp_path / "bees.pdf").write_bytes(a_pdf(text))
        assert run("sources", "add", tmp_path / "bees.pdf").exit_code == 0
        assert all(listed(each).endswith("ready\n") for each in ("books", "documents", "textbook"))
    assert "Bees rest in the hive" in run("ask", "Do bees rest in the hive while it rains outside?").stdout

    assert run("sources", "remove", "-c", "documents", "bees", "--yes").exit_code == 0

    assert not any("bees" in listed(each) for each in ("books", "documents", "textbook"))


def test_a_title_that_would_drive_the_terminal_is_shown_and_obeyed_nowhere(run: Run, home: Path) -> None:
    title = "Be\x1b]0;owned\x07es\x9b31m"
    with empty_library(home) as services:
        book = shelve(services, title, ["Bees gather nectar."], school="local").id

    book_json = run("sources", "list", "--json").stdout
    shown = [run("sources", *words).output for words in (["list"], ["list", book], ["remove", book], ["remove", book, "-y"])]

    assert all("owned" in text for text in shown)
    assert not [text for text in shown if set("\x1b\x07\x9b") & set(text)]
    assert not set("\x1b\x07\x9b") & set(book_json)


def test_every_fact_and_every_warning_has_a_row() -> None:
    warning = "Pages 12-14 have no text: scanned?"
    rows = dict(report_rows(report(chapters=6, outside_share=0.018, pages_without_text=(11, 12, 13), warnings=(warning,))))

    facts = [rows[name] for name in ("chapters", "page numbers", "outside any paragraph", "pages without text")]
    assert facts == ["6 (from the file's outline)", "read off the pages", "1.8% of the text", "12-14"]
    assert [ranges(pages) for pages in ((), (0,), (4, 0, 1, 9))] == ["", "1", "1-2, 5, 10"]
    assert rows["warning"] == warning


SHELVES = {"books": "local", "documents": "local/documents", "lectures": "local/lectures"}
"""Where the files of each are that came by themselves."""


@pytest.fixture
def locked(tmp_path: Path) -> Path:
    """A PDF that is refused, and so is on record."""
    (tmp_path / "locked.pdf").write_bytes(a_locked_pdf("secret"))
    return tmp_path / "locked.pdf"


@pytest.mark.parametrize("shelf", SHELVES)
def test_what_serve_took_in_is_removed_with_its_file_if_confirmed(run: Run, locked: Path, home: Path, shelf: str) -> None:
    run("sources", "add", "-c", shelf, locked)
    uploads = FolderUploads(home / "uploads")
    uploads.write(f"{SHELVES[shelf]}/locked.pdf", b"as if it had been uploaded")
    for stdin in ("", "n\n"):
        result = run("sources", "remove", "-c", shelf, "locked", stdin=stdin)
        assert result.exit_code == 130
        assert result.stderr.endswith("chapterverse: Not confirmed: nothing was changed.\n")
        assert len(json.loads(run("sources", "list", "-c", shelf, "--json").stdout)) == 1

    assert run("sources", "remove", "-c", shelf, "locked", "--yes").exit_code == 0

    assert uploads.files("") == []
    assert json.loads(run("sources", "list", "-c", shelf, "--json").stdout) == []


def test_a_page_of_a_department_is_added_listed_and_removed(run: Run, tmp_path: Path) -> None:
    (tmp_path / "thesis.md").write_text("# Thesis\n\nA thesis has at most sixty pages.\n")

    assert run("sources", "add", "-c", "helpdesk", tmp_path / "thesis.md", "--department", "physics").exit_code == 0

    [source] = json.loads(run("sources", "list", "-c", "helpdesk", "--json").stdout)
    assert (source["department"], source["title"]) == ("physics", "Thesis")
    assert run("sources", "remove", "-c", "helpdesk", source["source"], "--yes").exit_code == 0


def test_a_list_of_questions_anothers_option_and_one_title_for_two_are_refused(run: Run, tmp_path: Path) -> None:
    (tmp_path / "faq.csv").write_text("question,answer\nWhy?,Because.\n")

    refused = run("sources", "add", "-c", "helpdesk", tmp_path / "faq.csv")

    assert (refused.exit_code, "Answers" in refused.stderr) == (2, True)
    assert run("sources", "add", tmp_path / "faq.pdf", "--department", "physics").exit_code == 2
    (tmp_path / "a.pdf").write_bytes(a_pdf())
    titled = run("sources", "add", tmp_path / "a.pdf", tmp_path / "a.pdf", "--title", "A")
    assert (titled.exit_code, "one by one" in titled.stderr) == (2, True)


def test_sentences_are_a_json_object_a_line_and_the_report_too(run: Run, tmp_path: Path, locked: Path, home: Path) -> None:
    (pdf := tmp_path / "A Small Book.pdf").write_bytes(a_pdf(PROSE))
    result = run("inspect", pdf, "--sentences")

    book = parse_in_sandbox(pdf.read_bytes(), BookId("a-small-book"), SCHOOL_LIMITS)
    records = [SentenceRecord.of(each).model_dump(mode="json") for each in book.sentences]
    assert [json.loads(line) for line in result.stdout.splitlines()] == records
    assert result.stderr == ""
    refused = run("inspect", locked, "--sentences")
    assert (refused.exit_code, refused.stdout) == (2, "")
    assert refused.stderr.startswith("chapterverse: The PDF is password-protected.")
    rows = dict(line.split("\t") for line in run("inspect", pdf).stdout.splitlines())
    as_json = json.loads(run("inspect", pdf, "--json").stdout)

    assert (rows["pages"], rows["sentences"]) == ("1", "2")
    assert (as_json["book"], as_json["pages"], as_json["sentences"]) == ("a-small-book", 1, 2)
    assert not home.exists()  # nothing is stored


def test_a_damaged_index_is_rebuilt_by_the_next_search_which_finds_the_same(run: Run, home: Path, tmp_path: Path) -> None:
    (tmp_path / "principle.pdf").write_bytes(a_pdf())
    run("sources", "add", tmp_path / "principle.pdf", "--title", "Principle")
    before = run("feedback", "--evidence", "-", "--json", stdin=ESSAY)
    whole = {path: path.read_bytes() for path in (home / "vectors").rglob("*.vectors")}
    for path in whole:
        path.write_bytes(b"")

    found, again = (run("feedback", "--evidence", "-", "--json", stdin=ESSAY) for _ in range(2))
    run("index", "fill")  # of the book's other uses

    assert (found.exit_code, found.stderr) == (0, "chapterverse: The index of Principle was incomplete and has been rebuilt.\n")
    assert json.loads(before.stdout)["evidence"]
    assert (found.stdout, again.stdout, again.stderr) == (before.stdout, before.stdout, "")
    assert {path: path.read_bytes() for path in whole} == whole


def test_books_of_another_model_are_found_when_embedded_anew(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
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
