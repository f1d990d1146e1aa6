"""What every shelf's commands have in common."""

import json
from pathlib import Path

import pytest

from chapterverse.infrastructure.storage.folder import FolderUploads
from tests.support.pdfs import a_locked_pdf
from tests.unit.conftest import Run

SHELVES = {"books": "local", "documents": "local/documents"}
"""Where the files of each are that came by themselves."""

of_every_shelf = pytest.mark.parametrize("shelf", SHELVES)


@pytest.fixture
def locked(tmp_path: Path) -> Path:
    """A PDF that is refused, and so is on record."""
    (tmp_path / "locked.pdf").write_bytes(a_locked_pdf("secret"))
    return tmp_path / "locked.pdf"


@of_every_shelf
def test_what_stands_there_is_listed_with_its_state(run: Run, locked: Path, shelf: str) -> None:
    run("sources", "add", "-c", shelf, locked)

    assert run("sources", "list", "-c", shelf).stdout.splitlines()[0].split("\t")[:2] == ["locked", "Locked"]
    assert [book["state"] for book in json.loads(run("sources", "list", "-c", shelf, "--json").stdout)] == ["failed"]


@of_every_shelf
@pytest.mark.parametrize("stdin", ["", "n\n"])
def test_a_removal_that_nobody_confirms_removes_nothing(run: Run, locked: Path, shelf: str, stdin: str) -> None:
    run("sources", "add", "-c", shelf, locked)

    result = run("sources", "remove", "-c", shelf, "locked", stdin=stdin)

    assert result.exit_code == 130
    assert result.stderr.endswith("chapterverse: Not confirmed: nothing was changed.\n")
    assert len(json.loads(run("sources", "list", "-c", shelf, "--json").stdout)) == 1


@of_every_shelf
def test_what_serve_has_taken_in_is_removed_with_its_file(run: Run, locked: Path, home: Path, shelf: str) -> None:
    run("sources", "add", "-c", shelf, locked)
    uploads = FolderUploads(home / "uploads")
    uploads.write(f"{SHELVES[shelf]}/locked.pdf", b"as if it had been uploaded")

    assert run("sources", "remove", "-c", shelf, "locked", "--yes").exit_code == 0

    assert uploads.files("") == []
    assert json.loads(run("sources", "list", "-c", shelf, "--json").stdout) == []


def test_a_list_of_questions_and_an_option_of_another_collection_are_refused(run: Run, tmp_path: Path) -> None:
    (tmp_path / "faq.csv").write_text("question,answer\nWhy?,Because.\n")

    refused = run("sources", "add", "-c", "helpdesk", tmp_path / "faq.csv")

    assert (refused.exit_code, "Answers" in refused.stderr) == (2, True)
    assert run("sources", "add", tmp_path / "faq.pdf", "--department", "physics").exit_code == 2
