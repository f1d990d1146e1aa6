"""A school as one archive with open formats, and back into another installation.

    manifest.json        format, school, tables and files, each with its SHA-256 digest; the last file of the archive
    tables/{name}.jsonl  the rows of a table of the catalog's database (rows.py)
    artefacts/…          per source and version: source.pdf as it was uploaded, book.json.gz, vectors as .npy
    uploads/…            uploaded files as they are
    results/…            essays of batches and their feedback, JSON

It is a zip file. The same content gives the same bytes. The index is not in it: it is filled from the stored vectors. Secrets
that are encrypted with the installation's key are not in it either."""

import json
import zlib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from hashlib import sha256
from typing import IO
from zipfile import ZIP_DEFLATED, ZIP_STORED, BadZipFile, ZipFile, ZipInfo

from pydantic import TypeAdapter

from chapterverse import __version__
from chapterverse.accounts.keys import refuse_no_school
from chapterverse.core.errors import BadRequest, ChapterverseError, NotFound
from chapterverse.core.names import path_part
from chapterverse.core.ports import Bucket
from chapterverse.infrastructure.sql.engine import NEWEST
from chapterverse.infrastructure.storage.files import ZipParts
from chapterverse.infrastructure.storage.folder import parts_of
from chapterverse.library.indexing import make_whole
from chapterverse.operations.retention import SchoolStores
from chapterverse.operations.rows import Lines, SqlRows, tables

FORMAT = "chapterverse-school-1"
MANIFEST = "manifest.json"
TABLES, ARTEFACTS, RESULTS, UPLOADS = "tables", "artefacts", "results", "uploads"  # folders
PIECE = 2**20  # bytes read at once
MAX_MANIFEST = 256 * 2**20  # bytes
MAX_UPLOAD = 2**40  # bytes: no limit; the files were accepted before
WRITTEN = (1980, 1, 1, 0, 0, 0)  # time of every file in the archive


@dataclass(frozen=True, slots=True)
class ArchivedFile:
    """A file of the archive. title, authors: of uploads, where the uploader gave some."""

    name: str
    bytes: int
    sha256: str
    title: str | None = None
    authors: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Manifest:
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


MANIFESTS = TypeAdapter(Manifest)


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
class ArchiveStores:
    """All stores of a school, and its rows."""

    school: SchoolStores
    rows: SqlRows

    @property
    def buckets(self) -> Mapping[str, Bucket]:
        """The buckets, by their folder in the archive."""
        return {ARTEFACTS: self.school.collections[0].bucket, RESULTS: self.school.batches.results}


class _Hashed:
    """A zip file under construction that remembers digests."""

    def __init__(self, file: IO[bytes] | ZipParts) -> None:
        self.zip, self.files, self.rows = ZipFile(file, "w", allowZip64=True), list[ArchivedFile](), 0

    def add(self, name: str, data: bytes, title: str | None = None, authors: tuple[str, ...] = ()) -> None:
        """Add a file."""
        self.zip.writestr(_info(name, ZIP_STORED), data)
        self.files.append(ArchivedFile(name, len(data), sha256(data).hexdigest(), title, authors))

    def add_table(self, table: str, lines: Lines) -> None:
        """Add a table's file line by line."""
        digest, size, name = sha256(), 0, _file_of(table)
        with self.zip.open(_info(name, ZIP_DEFLATED), "w", force_zip64=True) as file:
            for line in lines:
                file.write(line + b"\n")
                digest.update(line + b"\n")
                size += len(line) + 1
                self.rows += 1
        self.files.append(ArchivedFile(name, size, digest.hexdigest()))


def export_school(school: str, stores: ArchiveStores, file: IO[bytes]) -> Archived:
    """Write everything of a school to the file, one object of a bucket in memory at a time. Rows are read before the files that
    they name.

    Raises BadRequest for an invalid name, NotFound if there is nothing of it or a file was deleted meanwhile, and every
    RetryableError of the ports."""
    refuse_no_school(school)
    into = _Hashed(file)
    for _ in _filled(school, stores, into):
        pass
    return Archived(school, into.rows, len(into.files) - len(tables()))


def school_archive(school: str, stores: ArchiveStores) -> Iterator[bytes]:
    """The same archive in parts, each as soon as it is written. Raises as export_school."""
    parts = ZipParts()
    for _ in _filled(school, stores, _Hashed(parts)):
        yield parts.take()


def _filled(school: str, stores: ArchiveStores, into: _Hashed) -> Iterator[None]:
    """Fill the archive, and yield after the tables and after each file."""
    with into.zip:  # closed after an error, too: else Python reports it later
        stores.rows.read(school, into.add_table)
        yield
        for folder, bucket in stores.buckets.items():
            for name in bucket.names(prefix := f"{path_part(school)}/"):
                into.add(f"{folder}/{name.removeprefix(prefix)}", bucket.read(name))
                yield
        for upload in stores.school.uploads.files(f"{school}/"):
            data = stores.school.uploads.read(upload, MAX_UPLOAD)
            into.add(f"{UPLOADS}/{upload.name.removeprefix(f'{school}/')}", data, upload.title, upload.authors)
            yield
        if not into.rows and len(into.files) == len(tables()):
            raise NotFound("school_empty", school=school)
        manifest = Manifest(FORMAT, __version__, NEWEST, school, tuple(into.files))
        into.zip.writestr(_info(MANIFEST, ZIP_DEFLATED), json.dumps(asdict(manifest), ensure_ascii=False, indent=1))
    yield


def import_school(file: IO[bytes], stores: ArchiveStores) -> Archived:
    """Bring a school back from its archive, after all of it was checked. Can be repeated after an interruption.

    Raises BadRequest if the archive is damaged or of a newer version, or the school has other data; and every RetryableError of
    the ports. After an error, all rows are there, or none."""
    with _damage_refused(), ZipFile(file) as archive:
        manifest = _manifest(archive)
        for each in manifest.files:
            _check(archive, each)
        stores.rows.refuse_others(manifest.school, manifest.digests)
        return _import(archive, manifest, stores)


def _import(archive: ZipFile, manifest: Manifest, stores: ArchiveStores) -> Archived:
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
            stores.school.uploads.write(f"{school}/{name}", archive.read(each.name), each.title, each.authors)
    others = sorted(set(_fill_indexes(school, stores.school)))
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
        content = json.loads(file.read(MAX_MANIFEST))
    if content["format"] != FORMAT or content["revision"] > NEWEST:
        raise BadRequest("archive_newer", program=content["program"])
    manifest = MANIFESTS.validate_python(content)
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
    digest, size = sha256(), 0
    with archive.open(each.name) as file:
        while size <= each.bytes and (piece := file.read(PIECE)):
            digest.update(piece)
            size += len(piece)
    if (size, digest.hexdigest()) != (each.bytes, each.sha256):
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
