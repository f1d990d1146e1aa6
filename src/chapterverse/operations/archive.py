"""A school as one archive with open formats, and back into another installation.

    manifest.json        format, school, tables and files, each with its SHA-256 digest; the last file of the archive
    tables/{name}.jsonl  the rows of a table of the catalog's database
    artefacts/…          per source and version: source.pdf as it was uploaded, book.json.gz, vectors as .npy
    uploads/…            uploaded files as they are
    results/…            essays of batches and their feedback, JSON

It is a zip file. The same content gives the same bytes. The index is not in it: it is filled from the stored vectors. Secrets
that are encrypted with the installation's key are not in it either.

A table is a file of its rows in the order of their primary keys. Numbers that a database gives to rows are replaced by 1, 2, 3
…, so that an installation that imported a school exports the same bytes. New tables and columns need no change here."""

import json
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import date, datetime
from hashlib import file_digest, sha256
from itertools import islice
from typing import IO, Any
from zipfile import ZIP_DEFLATED, ZIP_STORED, BadZipFile, ZipFile, ZipInfo

from pydantic import BaseModel
from sqlalchemy import (
    Column,
    ColumnElement,
    Date,
    RowMapping,
    String,
    Table,
    delete,
    insert,
    literal,
    or_,
    select,
    text,
    update,
)
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from chapterverse import __version__
from chapterverse.accounts.keys import refuse_no_school
from chapterverse.accounts.setup import SEALED
from chapterverse.accounts.store import SqlKeys
from chapterverse.core.errors import BadRequest, ChapterverseError, NotFound
from chapterverse.core.names import path_part
from chapterverse.core.ports import Bucket, Uploads
from chapterverse.essays.batch.context import BatchContext
from chapterverse.infrastructure.sql import NEWEST, MessageText, SqlStore, UtcTime, all_tables, leave_no_trace, one_at_a_time
from chapterverse.infrastructure.storage.folder import ZipParts, parts_of
from chapterverse.library.indexing import make_whole
from chapterverse.library.services import CollectionServices
from chapterverse.messages import Message, from_stored, stored

LEFT_OUT = frozenset({"lti_pending", "rates", "tickets"})  # sign-ins under way and counts of the last minute
LATER = {("books", "active_version_id"): "versions"}  # column without a foreign key, and the table that it refers to
OWNERS = {"email", "led_by", "begun_by"}  # columns with the address of the person that a row is about
AT_ONCE = 500  # rows read or inserted by one statement

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

    def insert(self, school: str, digests: Mapping[str, str], read: Callable[[str], Lines]) -> bool:
        """Insert the rows of all tables, or none; whether they were inserted: False if they are there already.

        digests: by table, as digest_of; read: the lines of a table. Raises BadRequest if the school has other rows, or a row
        belongs to another school; CatalogUnavailable."""
        with self._writing() as session:
            one_at_a_time(session.connection(), school)
            if _is_there(session, school, digests):
                return False
            try:
                _insert_all(session, {name: read(name) for name in digests})
            except IntegrityError as error:
                raise BadRequest("archive_conflict", school=school) from error
            if _digests(session, school) != _whole(digests):
                raise BadRequest("archive_damaged", name="tables")
        return True

    def refuse_others(self, school: str, digests: Mapping[str, str]) -> None:
        """Raises BadRequest if the school has other rows than these."""
        with self._reading() as session:
            _is_there(session, school, digests)

    def holds(self, school: str) -> bool:
        """Whether there is a row of the school."""
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


def digest_of(lines: Lines) -> str:
    """The SHA-256 digest of a table's file."""
    digest = sha256()
    for line in lines:
        digest.update(line + b"\n")
    return digest.hexdigest()


NOTHING = digest_of(())


def _is_there(session: Session, school: str, digests: Mapping[str, str]) -> bool:
    """Whether these rows are there; False if there is none. Raises BadRequest for others."""
    found = _digests(session, school)
    if found == _whole(digests):
        return any(digest != NOTHING for digest in found.values())
    if any(digest != NOTHING for digest in found.values()):
        raise BadRequest("school_has_data", school=school)
    return False


def _digests(session: Session, school: str) -> dict[str, str]:
    return {name: digest_of(lines) for name, lines in _lines_of(session, school)}


def _whole(digests: Mapping[str, str]) -> dict[str, str]:
    """The digests of all tables: one that an older version did not have is empty."""
    return {table.name: digests.get(table.name, NOTHING) for table in tables()}


def _lines_of(session: Session, school: str, email: str | None = None) -> Iterator[tuple[str, Iterator[bytes]]]:
    """The rows of each table; with an address, those of that person, where a table has any of persons."""
    numbers = {table.name: _numbers(session, school, table) for table in tables() if table.autoincrement_column is not None}
    for table in tables():
        mine = [] if email is None else [table.columns[name] == email for name in OWNERS & set(table.columns.keys())]
        if email is not None and not mine:
            continue
        order = [_by_bytes(session, column) for column in table.primary_key]
        wanted = select(table).where(*_of(school, table), *([or_(*mine)] if mine else [])).order_by(*order)
        rows = session.execute(wanted.execution_options(yield_per=AT_ONCE)).mappings()
        yield table.name, (_line(table, row, numbers) for row in rows)


def _numbers(session: Session, school: str, table: Table) -> dict[int, int]:
    """The numbers 1, 2, 3 … of a table's rows, by the numbers in the database."""
    [column] = table.primary_key
    ids = session.scalars(select(column).where(*_of(school, table)).order_by(column))
    return {id: number for number, id in enumerate(ids, start=1)}


def _of(school: str, table: Table) -> list[ColumnElement[bool]]:
    """The condition that a row is of the school: by its column, else by the row that it belongs to. Settings that are encrypted
    with the installation's key are of no use in another."""
    if "school" in table.columns:
        sealed = [table.columns.name.not_in(SEALED)] if table.name == "choices" else []
        return [table.columns.school == school, *sealed]
    [owner] = [key for key in table.foreign_keys if "school" in key.column.table.columns]
    mine = select(owner.column).where(owner.column.table.columns.school == school)
    return [owner.parent.in_(mine)]


def _by_bytes(session: Session, column: Column[Any]) -> ColumnElement[Any]:
    """The column, to order by: texts by their bytes, as SQLite does."""
    is_elsewhere = session.get_bind().dialect.name == "postgresql" and isinstance(column.type, String)
    return column.collate("C") if is_elsewhere else column


def _line(table: Table, row: RowMapping, numbers: Mapping[str, Mapping[int, int]]) -> bytes:
    values = {column.name: _plain(row[column.name]) for column in table.columns}
    for name, other in _references(table):
        values[name] = numbers[other].get(values[name])
    return json.dumps(values, ensure_ascii=False, sort_keys=True).encode()


def _references(table: Table) -> Iterator[tuple[str, str]]:
    """Columns with numbers that a database gave, and whose rows' numbers these are."""
    if table.autoincrement_column is not None:
        yield table.autoincrement_column.name, table.name
    for key in table.foreign_keys:
        if key.column.table.autoincrement_column is not None:
            yield key.parent.name, key.column.table.name
    yield from _later(table)


def _plain(value: Any) -> Any:
    match value:
        case date():  # also a time
            return value.isoformat()
        case Message():
            return stored(value)
    return value


def _typed(value: Any, column: Column[Any]) -> Any:
    if value is None:
        return None
    match column.type:
        case UtcTime():
            return datetime.fromisoformat(value)
        case Date():
            return date.fromisoformat(value)
        case MessageText():
            return from_stored(value)
    return value


def _insert_all(session: Session, files: Mapping[str, Lines]) -> None:
    """Insert the rows of all tables; those that the database numbers one by one, to learn their numbers."""
    ids: dict[str, dict[int, int]] = {}
    later: list[tuple[Table, int, str, int]] = []
    for table in tables():
        number = table.autoincrement_column
        rows = (_values(table, line, ids) for line in files.get(table.name, ()))
        if number is None:
            while some := list(islice(rows, AT_ONCE)):
                session.execute(insert(table), some)
            continue
        ids[table.name] = {}
        for row in rows:
            exported = row.pop(number.name)
            for column, _ in _later(table):
                later += [(table, exported, column, row[column])] if row[column] else []
                row[column] = None
            ids[table.name][exported] = session.execute(insert(table).values(row).returning(number)).scalar_one()
    for table, exported, column, value in later:
        [number] = table.primary_key
        of_others = ids[LATER[table.name, column]]
        session.execute(update(table).where(number == ids[table.name][exported]).values({column: of_others[value]}))


def _later(table: Table) -> Iterator[tuple[str, str]]:
    return ((column, other) for (name, column), other in LATER.items() if name == table.name)


def _values(table: Table, line: bytes, ids: Mapping[str, Mapping[int, int]]) -> dict[str, Any]:
    """The row of a line, with numbers of this database. Raises BadRequest if it is damaged."""
    try:
        row = json.loads(line)
        values = {name: _typed(value, table.columns[name]) for name, value in row.items()}
        for key in table.foreign_keys:
            if (of := ids.get(key.column.table.name)) is not None:
                values[key.parent.name] = of[values[key.parent.name]]
    except (ValueError, KeyError, AttributeError, TypeError) as error:
        raise BadRequest("archive_damaged", name=table.name) from error
    return values


FORMAT = "chapterverse-school-1"
MANIFEST = "manifest.json"
TABLES, ARTEFACTS, RESULTS, UPLOADS = "tables", "artefacts", "results", "uploads"  # folders
MAX_MANIFEST = 256 * 2**20  # bytes
MAX_UPLOAD = 2**40  # bytes: no limit; the files were accepted before
WRITTEN = (1980, 1, 1, 0, 0, 0)  # time of every file in the archive


class ArchivedFile(BaseModel, frozen=True):
    """A file of the archive."""

    name: str
    bytes: int
    sha256: str


class Manifest(BaseModel, frozen=True):
    """What an archive holds. revision: of the catalog's tables; program: the version that wrote it."""

    format: str
    program: str
    revision: str
    school: str
    files: tuple[ArchivedFile, ...]

    @property
    def digests(self) -> Mapping[str, str]:
        """The digests of the tables' files, by table."""
        files = {each.name: each.sha256 for each in self.files}
        return {table.name: files[name] for table in tables() if (name := _file_of(table.name)) in files}


@dataclass(frozen=True, slots=True)
class Archived:
    """What was exported or imported. is_new: whether something was imported; models: that made the vectors of sources, but are
    not the model of this installation."""

    school: str
    rows: int
    files: int
    is_new: bool = True
    models: Sequence[str] = ()


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


class _Hashed:
    """A zip file under construction that remembers digests."""

    def __init__(self, file: IO[bytes] | ZipParts) -> None:
        self.zip, self.files, self.rows = ZipFile(file, "w", allowZip64=True), list[ArchivedFile](), 0

    def add(self, name: str, data: bytes) -> None:
        """Add a file."""
        self.zip.writestr(_info(name, ZIP_STORED), data)
        self.files.append(ArchivedFile(name=name, bytes=len(data), sha256=sha256(data).hexdigest()))

    def add_table(self, table: str, lines: Lines) -> None:
        """Add a table's file line by line."""
        digest, size, name = sha256(), 0, _file_of(table)
        with self.zip.open(_info(name, ZIP_DEFLATED), "w", force_zip64=True) as file:
            for line in lines:
                file.write(line + b"\n")
                digest.update(line + b"\n")
                size += len(line) + 1
                self.rows += 1
        self.files.append(ArchivedFile(name=name, bytes=size, sha256=digest.hexdigest()))


def export_school(school: str, stores: SchoolStores, file: IO[bytes]) -> Archived:
    """Write everything of a school to the file, one object of a bucket in memory at a time. Rows are read before the files that
    they name.

    Raises BadRequest for an invalid name, NotFound if there is nothing of it or a file was deleted meanwhile, and every
    RetryableError of the ports."""
    refuse_no_school(school)
    into = _Hashed(file)
    for _ in _filled(school, stores, into):
        pass
    return Archived(school, into.rows, len(into.files) - len(tables()))


def school_archive(school: str, stores: SchoolStores) -> Iterator[bytes]:
    """The same archive in parts, each as soon as it is written. Raises as export_school."""
    parts = ZipParts()
    for _ in _filled(school, stores, _Hashed(parts)):
        yield parts.take()


def _filled(school: str, stores: SchoolStores, into: _Hashed) -> Iterator[None]:
    """Fill the archive, and yield after the tables and after each file."""
    with into.zip:  # closed after an error, too: else Python reports it later
        stores.rows.read(school, into.add_table)
        yield
        for folder, bucket in stores.buckets.items():
            for name in bucket.names(prefix := f"{path_part(school)}/"):
                into.add(f"{folder}/{name.removeprefix(prefix)}", bucket.read(name))
                yield
        for upload in stores.uploads.files(f"{school}/"):
            into.add(f"{UPLOADS}/{upload.name.removeprefix(f'{school}/')}", stores.uploads.read(upload, MAX_UPLOAD))
            yield
        if not into.rows and len(into.files) == len(tables()):
            raise NotFound("school_empty", school=school)
        files = tuple(into.files)
        manifest = Manifest(format=FORMAT, program=__version__, revision=NEWEST, school=school, files=files)
        into.zip.writestr(_info(MANIFEST, ZIP_DEFLATED), manifest.model_dump_json(indent=1))
    yield


def import_school(file: IO[bytes], stores: SchoolStores) -> Archived:
    """Bring a school back from its archive, after all of it was checked. Can be repeated after an interruption.

    Raises BadRequest if the archive is damaged or of a newer version, or the school has other data; and every RetryableError of
    the ports. After an error, all rows are there, or none."""
    with _damage_refused(), ZipFile(file) as archive:
        manifest = _manifest(archive)
        for each in manifest.files:
            _check(archive, each)
        stores.rows.refuse_others(manifest.school, manifest.digests)
        return _import(archive, manifest, stores)


def _import(archive: ZipFile, manifest: Manifest, stores: SchoolStores) -> Archived:
    """Files first: a row is never without its file, and an uploaded file never without its source."""
    school, rows = manifest.school, 0

    def read(table: str) -> Iterator[bytes]:
        nonlocal rows
        with archive.open(_file_of(table)) as lines:
            for line in lines:
                rows += 1
                yield line.rstrip(b"\n")

    for each, folder, name in _objects(manifest):
        if bucket := stores.buckets.get(folder):
            bucket.write(f"{path_part(school)}/{name}", archive.read(each.name))
    is_new = stores.rows.insert(school, manifest.digests, read)
    for each, folder, name in _objects(manifest):
        if folder == UPLOADS:
            stores.uploads.write(f"{school}/{name}", archive.read(each.name))
    others = sorted(set(_fill_indexes(school, stores)))
    return Archived(school, rows, sum(1 for _ in _objects(manifest)), is_new, others)


def _fill_indexes(school: str, stores: SchoolStores) -> Iterator[str]:
    """Fill the index of every collection; yield the embedding models of sources that another model made."""
    for collection in stores.collections:
        for book in collection.catalog.books(school):
            make_whole(book, collection)
            if book.active and book.active.key.model != collection.embedder.model:
                yield book.active.key.model


def _objects(manifest: Manifest) -> Iterator[tuple[ArchivedFile, str, str]]:
    """The files of buckets, with folder and name."""
    for each in manifest.files:
        folder, _, name = each.name.partition("/")
        if folder != TABLES:
            yield each, folder, name


def _manifest(archive: ZipFile) -> Manifest:
    with archive.open(MANIFEST) as file:
        told = json.loads(file.read(MAX_MANIFEST))
    if told["format"] != FORMAT or told["revision"] > NEWEST:
        raise BadRequest("archive_newer", program=told["program"])
    manifest = Manifest.model_validate(told)
    refuse_no_school(manifest.school)
    names = [each.name for each in manifest.files]
    if sorted([*names, MANIFEST]) != sorted(archive.namelist()):
        raise _damaged(MANIFEST)
    folders = {ARTEFACTS, RESULTS, UPLOADS}
    known = {_file_of(table.name) for table in tables()}
    for name in names:
        if parts_of(name)[0] not in folders and name not in known:
            raise _damaged(name)
    return manifest


def _check(archive: ZipFile, each: ArchivedFile) -> None:
    """Raises BadRequest for a file that is not the one that was exported."""
    with archive.open(each.name) as file:  # of which no more is read than its header says
        size = archive.getinfo(each.name).file_size
        if size != each.bytes or file_digest(file, "sha256").hexdigest() != each.sha256:  # type: ignore[arg-type]  # it reads into
            raise _damaged(each.name)


@contextmanager
def _damage_refused() -> Iterator[None]:
    """Raise BadRequest for what zipfile, json and pydantic raise at a damaged archive."""
    try:
        yield
    except (BadZipFile, EOFError, LookupError, NotImplementedError, RuntimeError, TypeError, ValueError, zlib.error) as error:
        if isinstance(error, ChapterverseError):
            raise
        raise _damaged(MANIFEST) from error


def _damaged(name: str) -> BadRequest:
    return BadRequest("archive_damaged", name=name)


def _file_of(table: str) -> str:
    return f"{TABLES}/{table}.jsonl"


def _info(name: str, compression: int) -> ZipInfo:
    info = ZipInfo(name, WRITTEN)
    info.compress_type, info.external_attr = compression, 0o600 << 16
    return info
