"""A school as one archive: what is in it comes back the same, into any database; what is damaged changes nothing."""

import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, suppress
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from zipfile import ZIP_STORED, ZipFile

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import update

from chapterverse import composition
from chapterverse.accounts.setup import MAIL
from chapterverse.core.errors import BadRequest
from chapterverse.essays.model import StoredFeedback
from chapterverse.essays.store import SqlFeedback
from chapterverse.infrastructure.sql import Database
from chapterverse.infrastructure.storage.folder import FolderBucket
from chapterverse.operations.archive import (
    LEFT_OUT,
    MANIFEST,
    SchoolStores,
    SqlRows,
    digest_of,
    export_school,
    import_school,
    tables,
)
from chapterverse.operations.retention import remove_school
from chapterverse.settings import Settings
from tests.support.rows import NOW, OTHER, SCHOOL, fill

PDF = b"%PDF-1.7 a book\r\n\0"


def rows_of(database: Database, school: str) -> dict[str, list[bytes]]:
    """The lines of each table."""
    found: dict[str, list[bytes]] = {}
    SqlRows(database).read(school, lambda name, lines: found.__setitem__(name, list(lines)))
    return found


def bring(rows: dict[str, list[bytes]], database: Database, school: str = SCHOOL) -> bool:
    """Insert the rows."""
    digests = {name: digest_of(lines) for name, lines in rows.items()}
    return SqlRows(database).insert(school, digests, rows.__getitem__)


@pytest.fixture(params=["sqlite", "postgresql"])
def target(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Database]:
    """Another database, in which another school is already, so that numbers differ."""
    sqlite = request.param == "sqlite"
    url = f"sqlite:///{tmp_path}/target.db" if sqlite else request.getfixturevalue("postgres_catalog")
    with closing(Database(url)) as database:
        fill(database, OTHER, tables())
        yield database


@pytest.fixture
def source(tmp_path: Path) -> Iterator[Database]:
    with closing(Database(f"sqlite:///{tmp_path}/source.db")) as database:
        fill(database, SCHOOL, tables())
        yield database


def test_rows_of_every_table_come_back_the_same_in_any_database(source: Database, target: Database) -> None:
    rows, others = rows_of(source, SCHOOL), rows_of(target, OTHER)

    assert bring(rows, target)

    with pytest.raises(BadRequest, match="already stores data"):  # a school with other rows is left as it is
        bring({**rows, "faq": rows["faq"][:1]}, target)
    assert all(len(lines) == 2 for lines in rows.values())
    assert rows_of(target, SCHOOL) == rows
    assert rows_of(target, OTHER) == others
    assert not bring(rows, target)


def test_every_table_is_exported_or_left_out_for_a_reason_and_no_setting_that_is_encrypted_leaves(source: Database) -> None:
    columns = {name: set(json.loads(lines[0])) for name, lines in rows_of(source, SCHOOL).items()}
    assert columns == {table.name: set(table.columns.keys()) for table in tables()}
    assert sorted(LEFT_OUT) == ["lti_pending", "rates", "tickets"]
    [choices] = [table for table in tables() if table.name == "choices"]
    with source.engine.begin() as connection:
        connection.execute(update(choices).where(choices.c.name == f"{SCHOOL}-1").values(name=MAIL))

    assert len(rows_of(source, SCHOOL)["choices"]) == 1


def test_no_row_of_an_archive_reaches_another_school(source: Database, tmp_path: Path) -> None:
    rows = rows_of(source, SCHOOL)
    with closing(Database(f"sqlite:///{tmp_path}/target.db")) as target:
        fill(target, OTHER, tables())
        others = rows_of(target, OTHER)
        for table, lines in rows.items():
            forged = {**rows, table: [line.replace(SCHOOL.encode(), OTHER.encode()) for line in lines]}
            with suppress(BadRequest):
                bring(forged, target)
                SqlRows(target).remove(SCHOOL)

            assert rows_of(target, OTHER) == others, table


def stores_in(folder: Path) -> SchoolStores:
    return composition.school_stores(Settings(home=folder))


def used(folder: Path) -> SchoolStores:
    """The stores of an installation where the school has feedback, an uploaded file and objects in both buckets."""
    stores = stores_in(folder)
    with closing(SqlFeedback(f"sqlite:///{folder}/catalog.db")) as feedback:
        feedback.save(StoredFeedback("f1", SCHOOL, NOW, None, json.dumps({"essay": "Zanzibar"})))
    stores.buckets["artefacts"].write(f"{SCHOOL}/a-book/v1/source.pdf", PDF)
    stores.buckets["results"].write(f"{SCHOOL}/a-batch/1.json", b"{}")
    FolderBucket(folder / "artefacts").write(f"{OTHER}/a-book/v1/source.pdf", b"another school's")
    stores.uploads.write(f"{SCHOOL}/a-book.pdf", PDF)
    return stores


def archive_of(stores: SchoolStores) -> bytes:
    file = BytesIO()
    export_school(SCHOOL, stores, file)
    return file.getvalue()


def test_an_archive_has_open_formats_and_nothing_of_another_school(tmp_path: Path) -> None:
    with ZipFile(BytesIO(archive_of(used(tmp_path)))) as archive:
        names = [name for name in archive.namelist() if not name.startswith("tables/")]
        feedback = [json.loads(line) for line in archive.read("tables/feedback.jsonl").splitlines()]
        pdf = archive.read("artefacts/a-book/v1/source.pdf")

    assert names == ["artefacts/a-book/v1/source.pdf", "results/a-batch/1.json", "uploads/a-book.pdf", MANIFEST]
    assert [json.loads(row["answer"]) for row in feedback] == [{"essay": "Zanzibar"}]
    assert pdf == PDF


def test_a_program_that_has_imported_nothing_else_knows_every_table() -> None:
    alone = "from chapterverse.operations.archive import tables; print(*(each.name for each in tables()))"
    said = subprocess.run([sys.executable, "-c", alone], capture_output=True, text=True, check=True).stdout.split()

    assert {"books", "versions", "accounts", "submissions", "faq"} <= set(said)
    assert said == [each.name for each in tables()]


def test_an_installation_that_imported_a_school_exports_the_same_bytes_also_after_an_import_that_was_cut_off(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    archive, other = archive_of(used(tmp_path / "one")), stores_in(tmp_path / "other")
    with monkeypatch.context() as broken:
        broken.setattr(SqlRows, "insert", lambda *_: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            import_school(BytesIO(archive), other)

    first, again = (import_school(BytesIO(archive), other) for _ in range(2))

    assert archive_of(other) == archive
    assert (first.rows, first.files, first.is_new, again.is_new) == (1, 3, True, False)
    assert [upload.name for upload in other.uploads.files(f"{SCHOOL}/")] == [f"{SCHOOL}/a-book.pdf"]


@pytest.fixture(scope="module")
def whole() -> Iterator[bytes]:
    with TemporaryDirectory() as folder:
        yield archive_of(used(Path(folder)))


@pytest.fixture(scope="module")
def empty(tmp_path_factory: pytest.TempPathFactory) -> SchoolStores:
    return stores_in(tmp_path_factory.mktemp("empty"))


@given(st.data())
def test_a_damaged_archive_changes_nothing(whole: bytes, empty: SchoolStores, data: st.DataObject) -> None:
    at = data.draw(st.integers(0, len(whole) - 1))
    cut = data.draw(st.booleans())
    damaged = whole[:at] if cut else whole[:at] + bytes([whole[at] ^ data.draw(st.integers(1, 255))]) + whole[at + 1 :]

    with suppress(BadRequest):
        import_school(BytesIO(damaged), empty)
        assert archive_of(empty) == whole  # a byte that says nothing, such as a time
        remove_school(SCHOOL, empty, NOW)
    assert not empty.buckets["artefacts"].names(SCHOOL)
    assert empty.rows.remove(SCHOOL) == {}


@pytest.mark.parametrize(
    ("change", "id"),
    [
        ({"school": "../other"}, "school_name_invalid"),
        ({"format": "another"}, "archive_newer"),
        ({"revision": "9999"}, "archive_newer"),
        ({"files": []}, "archive_damaged"),
        ({"files": [{"name": "artefacts/../../x", "bytes": 0, "sha256": ""}]}, "archive_damaged"),
        ({"school": 7}, "archive_damaged"),
    ],
)
def test_a_manifest_of_somebody_else_is_refused(whole: bytes, empty: SchoolStores, change: dict[str, Any], id: str) -> None:
    forged = BytesIO()
    with ZipFile(BytesIO(whole)) as archive, ZipFile(forged, "w", ZIP_STORED) as into:
        for name in archive.namelist():
            content = archive.read(name)
            into.writestr(name, json.dumps({**json.loads(content), **change}) if name == MANIFEST else content)

    with pytest.raises(BadRequest) as refused:
        import_school(forged, empty)

    assert refused.value.id == id
