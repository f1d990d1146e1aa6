"""A school as one archive: everything of it in open formats, and nothing of another."""

import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, date, datetime
from io import BytesIO
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pytest
from sqlalchemy import JSON, Boolean, Date, Float, Integer, Table, insert, update

from chapterverse import composition
from chapterverse.accounts.setup import MAIL
from chapterverse.core.errors import NotFound
from chapterverse.essays.model import StoredFeedback
from chapterverse.essays.store import SqlFeedback
from chapterverse.infrastructure.sql import Database
from chapterverse.infrastructure.storage.folder import FolderBucket
from chapterverse.messages import message
from chapterverse.operations.archive import LEFT_OUT, SqlRows, export_school, tables
from chapterverse.settings import Settings
from tests.support.rows import NOW, OTHER, SCHOOL, fill

PDF = b"%PDF-1.7 a book\r\n\0"


def fill(database: Database, school: str) -> None:
    """Two rows of the school in every table, with something in every column."""
    numbers: dict[str, list[int]] = {}
    with database.engine.begin() as connection:
        for table in tables():
            for number in (1, 2):
                made = connection.execute(insert(table).values(dict(row(table, school, number, numbers))))
                if table.autoincrement_column is not None:
                    numbers.setdefault(table.name, []).append(made.inserted_primary_key[0])


def row(table: Table, school: str, number: int, numbers: dict[str, list[int]]) -> Iterator[tuple[str, Any]]:
    for column in table.columns:
        if column.name == "school":
            yield column.name, school
        elif column.foreign_keys:
            [key] = column.foreign_keys
            of_numbered = numbers.get(key.column.table.name)
            yield column.name, of_numbered[number - 1] if of_numbered else f"{school}-{number}"
        elif column is not table.autoincrement_column:
            yield column.name, value(column.type, f"{school}-{number}", number)


def value(type_: Any, text: str, number: int) -> Any:
    """A value of that type."""
    values: dict[type, Any] = {
        Boolean: True,
        Integer: number,
        Float: 0.1 + number / 3,
        UtcTime: NOW,
        Date: date(2026, 11, number),
        JSON: {"ü": [number, None, text]},
        MessageText: message("no_such_file", name=text),
    }
    return next((value for kind, value in values.items() if isinstance(type_, kind)), text)


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
        fill(database, SCHOOL)
        fill(database, OTHER)
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
    stores, file = composition.school_stores(Settings(home=tmp_path)), BytesIO()
    with closing(SqlFeedback(f"sqlite:///{tmp_path}/catalog.db")) as feedback:
        feedback.save(StoredFeedback("f1", SCHOOL, NOW, None, json.dumps({"essay": "Zanzibar"})))
    stores.buckets["artefacts"].write(f"{SCHOOL}/a-book/v1/source.pdf", PDF)
    stores.buckets["results"].write(f"{SCHOOL}/a-batch/1.json", b"{}")
    FolderBucket(tmp_path / "artefacts").write(f"{OTHER}/a-book/v1/source.pdf", b"another school's")
    stores.uploads.write(f"{SCHOOL}/a-book.pdf", PDF)

    done = export_school(SCHOOL, stores, file)

    with ZipFile(file) as archive:
        names = [name for name in archive.namelist() if not name.startswith("tables/")]
        [line] = archive.read("tables/feedback.jsonl").splitlines()
        assert archive.read("artefacts/a-book/v1/source.pdf") == PDF
    assert names == ["artefacts/a-book/v1/source.pdf", "results/a-batch/1.json", "uploads/a-book.pdf"]
    assert json.loads(json.loads(line)["answer"]) == {"essay": "Zanzibar"}
    assert (done.rows, done.files) == (1, 3)
    with pytest.raises(NotFound):
        export_school("nobody's", stores, BytesIO())


def test_a_program_that_has_imported_nothing_else_knows_every_table() -> None:
    alone = "from chapterverse.operations.archive import tables; print(*(each.name for each in tables()))"
    said = subprocess.run([sys.executable, "-c", alone], capture_output=True, text=True, check=True).stdout.split()

    assert {"books", "versions", "accounts", "submissions", "faq"} <= set(said)
    assert said == [each.name for each in tables()]
