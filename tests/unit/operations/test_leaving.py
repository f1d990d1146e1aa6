"""A school leaves one machine: nothing of it is found anywhere, and all of another school is."""

import json
from collections.abc import Callable
from datetime import UTC, datetime
from io import BytesIO
from pathlib import Path
from zipfile import ZipFile

import pytest

from chapterverse import composition
from chapterverse.essays.model import StoredFeedback
from chapterverse.essays.store import SqlFeedback
from chapterverse.infrastructure.quotas import SqlLedger
from chapterverse.operations.archive import school_archive
from chapterverse.settings import Settings
from tests.support.pdfs import a_long_pdf
from tests.support.traces import files_with
from tests.support.word_embedder import WordEmbedder
from tests.unit.conftest import Run

SCHOOL, OTHER = "leaving-school", "staying-school"
SAID = "Zanzibar"  # in the school's book and essays, and nowhere else
BOOK = a_long_pdf(f"The ship left {SAID}", pages=3)
OTHERS = a_long_pdf("Bees gathered nectar", pages=3)
ESSAY = f"The ship left {SAID}, as number 7 was told."
Said = Callable[..., str]


@pytest.fixture
def said(run: Run, monkeypatch: pytest.MonkeyPatch) -> Said:
    """What a command says to a school, once it has succeeded."""
    monkeypatch.setattr(composition.ports, "embedder", lambda *_, **__: WordEmbedder())

    def command(school: str, *arguments: object) -> str:
        monkeypatch.setenv("CHAPTERVERSE_SCHOOL", school)
        done = run(*arguments)
        assert done.exit_code == 0, done.output
        return done.stdout

    return command


@pytest.fixture
def machine(said: Said, home: Path, tmp_path: Path) -> Path:
    """Both schools have a book, a file that was uploaded, feedback, and have spent something; one a key and a batch, too."""
    (tmp_path / "class").mkdir()
    (tmp_path / "class" / "ada.md").write_text(ESSAY, "utf-8")
    for school, pdf in ((SCHOOL, BOOK), (OTHER, OTHERS)):
        (tmp_path / f"{school}.pdf").write_bytes(pdf)
        said(school, "sources", "add", tmp_path / f"{school}.pdf")
        keep(home, school, ESSAY if school == SCHOOL else "Bees gathered nectar.")
    said(SCHOOL, "keys", "create", "--note", SAID)
    said(SCHOOL, "batch", "--nice", 0, tmp_path / "class", "--out", tmp_path / "out")
    return home


def keep(home: Path, school: str, essay: str) -> None:
    """Feedback and what it has cost, and a file as `serve` takes one in."""
    address = f"sqlite:///{home / 'catalog.db'}"
    feedback, ledger = SqlFeedback(address), SqlLedger(address)
    feedback.save(StoredFeedback(f"id-{school}", school, datetime.now(UTC), None, json.dumps({"essay": essay})))
    ledger.settle(school, datetime.now(UTC).date(), 7)
    feedback.close()
    ledger.close()
    uploads = composition.ports.folder_uploads(Settings(home=home))
    uploads.write(f"{school}/{school}.pdf", BOOK if school == SCHOOL else OTHERS)


def traces(home: Path) -> list[str]:
    """Files that name the school or say what it has said, in their names or in themselves."""
    words = (SCHOOL, SAID, SAID.lower())
    named = [str(path) for path in home.rglob("*") if any(word in path.name for word in words)]
    return named + [name for word in words for name in files_with(word, home)]


def test_a_school_takes_its_archive_and_leaves_no_trace(machine: Path, said: Said, tmp_path: Path) -> None:
    (tmp_path / "essay.md").write_text(ESSAY, "utf-8")
    evidence = ("feedback", "--evidence", tmp_path / "essay.md", "--json")
    of_other = said(OTHER, *evidence)
    archive = b"".join(school_archive(SCHOOL, composition.school_stores(Settings(home=machine))))
    assert traces(machine)

    removed = json.loads(said(OTHER, "schools", "remove", SCHOOL, "--yes", "--json"))

    assert traces(machine) == []
    assert (removed["books"], removed["files"]) == (4, 1)  # a book for essays, Ask, textbooks and lectures
    assert removed["rows"] == {"api_keys": 1, "feedback": 1, "spending": 1}
    again = json.loads(said(OTHER, "schools", "remove", SCHOOL, "--yes", "--json"))
    assert again == {"school": SCHOOL, "books": 0, "files": 0, "batches": 0, "rows": {}}
    assert said(OTHER, *evidence) == of_other
    with ZipFile(BytesIO(archive)) as taken:
        assert taken.read(f"uploads/{SCHOOL}.pdf") == BOOK


def test_what_is_no_schools_name_removes_nothing_and_nobody_is_asked_about_a_school_that_is_not_there(run: Run) -> None:
    run("keys", "create")

    assert [run("schools", "remove", school, "--yes").exit_code for school in ("", "..")] == [2, 2]
    assert "of local for good" in run("schools", "remove", "local").stderr
    assert "for good" not in (other := run("schools", "remove", OTHER)).stderr
    assert (other.exit_code, OTHER in other.stderr) == (3, True)
