"""A school as one archive with open formats.

    tables/{name}.jsonl  the rows of a table of the catalog's database
    artefacts/…          per source and version: source.pdf as it was uploaded, book.json.gz, vectors as .npy
    uploads/…            uploaded files as they are
    results/…            essays of batches and their feedback, JSON

It is a zip file, without the index, which is made from the stored vectors, and without secrets that are encrypted with the
installation's key. Rows stand in the order of their primary keys; new tables and columns need no change here."""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from zipfile import ZIP_DEFLATED, ZIP_STORED, ZipFile, ZipInfo

from sqlalchemy import ColumnElement, Table, delete, literal, or_, select, text
from sqlalchemy.orm import Session

from chapterverse.accounts.setup import SEALED
from chapterverse.accounts.store import SqlKeys
from chapterverse.core.names import path_part
from chapterverse.core.ports import Bucket, Uploads
from chapterverse.essays.batch.context import BatchContext
from chapterverse.infrastructure.sql import SqlStore, all_tables, leave_no_trace
from chapterverse.infrastructure.storage.folder import ZipParts
from chapterverse.library.services import CollectionServices
from chapterverse.messages import Message, stored

LEFT_OUT = frozenset({"lti_pending", "rates", "tickets"})  # sign-ins under way and counts of the last minute
OWNERS = {"email", "led_by", "begun_by"}  # columns with the address of the person that a row is about
AT_ONCE = 500  # rows read by one statement

Lines = Iterable[bytes]
"""The rows of a table, a line each, without line breaks."""


def tables() -> list[Table]:
    """The tables with data of schools, each after the tables it refers to."""
    return [table for table in all_tables() if table.name not in LEFT_OUT]


def tables_of_schools() -> list[Table]:
    """The tables with a column `school`, each before the tables it refers to, so that its own rows are counted when they are
    deleted. Rows of other tables are deleted by cascade."""
    return [table for table in reversed(all_tables()) if "school" in table.columns]


class SqlRows(SqlStore):
    """The rows of one school in the catalog's database; new tables need no change here."""

    def read(self, school: str, write: Callable[[str, Lines], None]) -> None:
        """Call `write` with the name and the rows of each table, all from the same moment. Raises CatalogUnavailable."""
        with self._reading() as session:
            for name, lines in _lines_of(session, school):
                write(name, lines)

    def of_person(self, school: str, email: str) -> dict[str, bytes]:
        """The rows of the person with that address as JSON lines, by table; not the feedback on their essays, which a teacher
        may not have released. Raises CatalogUnavailable."""
        with self._reading() as session:
            found = {name: b"\n".join(lines) for name, lines in _lines_of(session, school, email)}
        return {name: lines for name, lines in found.items() if lines}

    def holds(self, school: str) -> bool:
        with self._reading() as session:
            of_each = (select(literal(1)).where(each.columns.school == school) for each in tables_of_schools())
            return any(map(session.scalar, of_each))

    def remove(self, school: str) -> dict[str, int]:
        """Delete the rows, so that no file of the database contains them; return how many were deleted, by table."""
        with self._writing() as session:
            of_each = ((each.name, delete(each).where(each.columns.school == school)) for each in tables_of_schools())
            gone = {name: len(session.scalars(of_one.returning(literal(1))).all()) for name, of_one in of_each}
        leave_no_trace(self._database.engine)
        self._rewrite()
        return {name: rows for name, rows in gone.items() if rows}

    def _rewrite(self) -> None:
        """Rewrite PostgreSQL's tables, whose files would keep deleted rows until they are overwritten."""
        engine = self._database.engine
        if engine.dialect.name != "postgresql":
            return
        with engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
            for table in all_tables():
                connection.execute(text(f'VACUUM (FULL) "{table.name}"'))


def _lines_of(session: Session, school: str, email: str | None = None) -> Iterator[tuple[str, Iterator[bytes]]]:
    """The rows of each table; with an address, those of that person, where a table has any of persons."""
    for table in tables():
        mine = [] if email is None else [table.columns[name] == email for name in OWNERS & set(table.columns.keys())]
        if email is not None and not mine:
            continue
        wanted = select(table).where(*_of(school, table), *([or_(*mine)] if mine else [])).order_by(*table.primary_key)
        rows = session.execute(wanted.execution_options(yield_per=AT_ONCE)).mappings()
        lines = (json.dumps(dict(row), ensure_ascii=False, sort_keys=True, default=_plain) for row in rows)
        yield table.name, map(str.encode, lines)


def _of(school: str, table: Table) -> list[ColumnElement[bool]]:
    """The condition that a row is of the school: by its column, else by the row that it belongs to. Settings that are encrypted
    with the installation's key are of no use in another."""
    if "school" in table.columns:
        sealed = [table.columns.name.not_in(SEALED)] if table.name == "choices" else []
        return [table.columns.school == school, *sealed]
    [owner] = [key for key in table.foreign_keys if "school" in key.column.table.columns]
    mine = select(owner.column).where(owner.column.table.columns.school == school)
    return [owner.parent.in_(mine)]


def _plain(value: Message | date) -> str:
    return stored(value) if isinstance(value, Message) else value.isoformat()  # a date, or also a time


TABLES, ARTEFACTS, RESULTS, UPLOADS = "tables", "artefacts", "results", "uploads"  # folders
MAX_UPLOAD = 2**40  # bytes: no limit; the files were accepted before
WRITTEN = (1980, 1, 1, 0, 0, 0)  # time of every file in the archive


@dataclass(frozen=True, slots=True)
class SchoolStores:
    """All stores that hold data of a school. collections: the services of each collection, which share a bucket."""

    collections: Sequence[CollectionServices]
    uploads: Uploads
    batches: BatchContext
    keys: SqlKeys
    rows: SqlRows

    @property
    def buckets(self) -> Mapping[str, Bucket]:
        """The buckets, by their folder in the archive."""
        return {ARTEFACTS: self.collections[0].bucket, RESULTS: self.batches.results}


def school_archive(school: str, stores: SchoolStores) -> Iterator[bytes]:
    """Everything of a school in parts of one file, each as soon as it is written, with one object of a bucket in memory at a
    time. Rows are read before the files that they name.

    Raises NotFound if a file was deleted meanwhile, and every RetryableError of the ports."""
    parts = ZipParts()
    with ZipFile(parts, "w", allowZip64=True) as archive:  # closed after an error, too: else Python reports it later

        def add_table(name: str, lines: Lines) -> None:
            with archive.open(_info(f"{TABLES}/{name}.jsonl", ZIP_DEFLATED), "w", force_zip64=True) as file:
                file.writelines(line + b"\n" for line in lines)

        stores.rows.read(school, add_table)
        yield parts.take()
        for name, data in _files_of(school, stores):
            archive.writestr(_info(name, ZIP_STORED), data)
            yield parts.take()
    yield parts.take()


def _files_of(school: str, stores: SchoolStores) -> Iterator[tuple[str, bytes]]:
    """The files of the buckets, and the uploads, with their names in the archive."""
    for folder, bucket in stores.buckets.items():
        for name in bucket.names(prefix := f"{path_part(school)}/"):
            yield f"{folder}/{name.removeprefix(prefix)}", bucket.read(name)
    for upload in stores.uploads.files(f"{school}/"):
        yield f"{UPLOADS}/{upload.name.removeprefix(f'{school}/')}", stores.uploads.read(upload, MAX_UPLOAD)


def _info(name: str, compression: int) -> ZipInfo:
    info = ZipInfo(name, WRITTEN)
    info.compress_type, info.external_attr = compression, 0o600 << 16
    return info
