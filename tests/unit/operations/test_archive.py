"""A school as one archive, and what a person takes away: everything of it in open formats, and nothing of another."""

import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from io import BytesIO
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pytest
from sqlalchemy import update

from chapterverse import composition
from chapterverse.accounts.model import KeyScope
from chapterverse.accounts.setup import MAIL
from chapterverse.essays.model import StoredFeedback
from chapterverse.essays.store import SqlFeedback
from chapterverse.infrastructure.sql import Database
from chapterverse.infrastructure.storage.folder import FolderBucket
from chapterverse.operations.archive import LEFT_OUT, SqlRows, school_archive, tables
from chapterverse.questions.helpdesk import begin, say
from chapterverse.settings import Settings
from tests.support.browsers import browser_of
from tests.support.rows import NOW, OTHER, SCHOOL, fill
from tests.support.web import ESSAY, Site

PDF = b"%PDF-1.7 a book\r\n\0"


def rows_of(database: Database, school: str) -> dict[str, list[dict[str, Any]]]:
    """The rows of each table."""
    found: dict[str, list[dict[str, Any]]] = {}
    SqlRows(database).read(school, lambda name, lines: found.__setitem__(name, list(map(json.loads, lines))))
    return found


@pytest.fixture(params=["sqlite", "postgresql"])
def database(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Database]:
    """With two schools."""
    sqlite = request.param == "sqlite"
    url = f"sqlite:///{tmp_path}/catalog.db" if sqlite else request.getfixturevalue("postgres_catalog")
    with closing(Database(url)) as database:
        for school in (SCHOOL, OTHER):
            fill(database, school, tables())
        yield database


def test_every_table_is_exported_whole_or_left_out_for_a_reason_and_no_setting_that_is_encrypted_leaves(
    database: Database,
) -> None:
    rows = rows_of(database, SCHOOL)
    assert {name: set(its[0]) for name, its in rows.items()} == {each.name: set(each.columns.keys()) for each in tables()}
    assert all(len(its) == 2 for its in rows.values())
    assert OTHER not in json.dumps(rows)
    assert sorted(LEFT_OUT) == ["lti_pending", "rates", "tickets"]
    [choices] = [table for table in tables() if table.name == "choices"]
    with database.engine.begin() as connection:
        connection.execute(update(choices).where(choices.c.name == f"{SCHOOL}-1").values(name=MAIL))

    assert len(rows_of(database, SCHOOL)["choices"]) == 1


def test_an_archive_has_open_formats_and_nothing_of_another_school(tmp_path: Path) -> None:
    stores = composition.school_stores(Settings(home=tmp_path))
    with closing(SqlFeedback(f"sqlite:///{tmp_path}/catalog.db")) as feedback:
        feedback.save(StoredFeedback("f1", SCHOOL, NOW, None, json.dumps({"essay": "Zanzibar"})))
    stores.buckets["artefacts"].write(f"{SCHOOL}/a-book/v1/source.pdf", PDF)
    stores.buckets["results"].write(f"{SCHOOL}/a-batch/1.json", b"{}")
    FolderBucket(tmp_path / "artefacts").write(f"{OTHER}/a-book/v1/source.pdf", b"another school's")
    stores.uploads.write(f"{SCHOOL}/a-book.pdf", PDF)

    file = b"".join(school_archive(SCHOOL, stores))

    with ZipFile(BytesIO(file)) as archive:
        names = [name for name in archive.namelist() if not name.startswith("tables/")]
        [line] = archive.read("tables/feedback.jsonl").splitlines()
        assert archive.read("artefacts/a-book/v1/source.pdf") == PDF
    assert names == ["artefacts/a-book/v1/source.pdf", "results/a-batch/1.json", "uploads/a-book.pdf"]
    assert json.loads(json.loads(line)["answer"]) == {"essay": "Zanzibar"}


def test_a_program_that_has_imported_nothing_else_knows_every_table() -> None:
    alone = "from chapterverse.operations.archive import tables; print(*(each.name for each in tables()))"
    said = subprocess.run([sys.executable, "-c", alone], capture_output=True, text=True, check=True).stdout.split()

    assert {"books", "versions", "accounts", "submissions", "faq"} <= set(said)
    assert said == [each.name for each in tables()]


ANNA, BEN = "anna@school.example", "ben@school.example"


def test_a_copy_of_ones_own_data_has_essays_feedback_and_conversations_and_nothing_of_others(library: Site) -> None:
    desk = library.parts.helpdesk
    for email, words in ((ANNA, "Where is the gym?"), (BEN, "Is there soup today?")):
        browser = browser_of(library, email)
        assert browser.post("/api/v1/essays/feedback", json={"essay": f"{ESSAY} {words}"}).status_code == 200
        say("school", begin("school", email, desk).id, words, desk)

    with ZipFile(BytesIO(browser_of(library, ANNA).get("/api/v1/me/data.zip").data)) as copy:
        contents = {name: copy.read(name).decode() for name in copy.namelist()}

    assert {"people.jsonl", "conversations.jsonl", "essays/001.txt", "essays/001.html"} <= set(contents)
    assert "gym" in contents["essays/001.txt"]
    assert "gym" in contents["conversations.jsonl"]
    assert json.loads(contents["people.jsonl"])["email"] == ANNA
    assert not any("soup" in text or BEN in text for text in contents.values())


def test_feedback_that_a_teacher_has_not_released_is_not_in_the_copy(library: Site) -> None:
    library.caller(KeyScope.TEACHER)("PATCH", "/api/v1/settings", {"approval": True})
    anna = browser_of(library, ANNA)
    anna.post("/api/v1/essays/feedback", json={"essay": ESSAY})

    with ZipFile(BytesIO(anna.get("/api/v1/me/data.zip").data)) as copy:
        assert [name for name in copy.namelist() if name.startswith("essays/")] == ["essays/001.txt"]
        assert all(b'"answer"' not in copy.read(name) for name in copy.namelist())


def test_an_admin_downloads_the_school_and_a_program_has_no_data_of_its_own(library: Site, tmp_path: Path) -> None:
    admin = library.caller(KeyScope.ADMIN)("GET", "/api/v1/school/data.zip")

    with ZipFile(BytesIO(admin.data)) as archive:
        assert {"tables/books.jsonl", "tables/people.jsonl"} <= {*archive.namelist()}
    assert library.caller(KeyScope.TEACHER)("GET", "/api/v1/me/data.zip").status_code == 400
