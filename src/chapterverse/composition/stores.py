"""Build stores, indexes and queues: on this machine below s.home, or where a setting says."""

from __future__ import annotations

from functools import lru_cache
from importlib.util import find_spec
from threading import Lock
from typing import TYPE_CHECKING
from urllib.parse import parse_qsl, urlsplit

from chapterverse.core.errors import BadRequest
from chapterverse.infrastructure.telemetry.spans import traced_port

if TYPE_CHECKING:
    from chapterverse.accounts.store import SqlAccounts, SqlChoices, SqlKeys, SqlPeople
    from chapterverse.core.book import Collection
    from chapterverse.core.ports import Bucket, LexicalIndex, TaskQueue, TokenBuckets, Uploads, VectorIndex
    from chapterverse.core.recent import Recent
    from chapterverse.essays.batch.store import SqlBatches
    from chapterverse.essays.store import SqlFeedback
    from chapterverse.infrastructure.queue.local import LocalQueue
    from chapterverse.infrastructure.sql.engine import Database
    from chapterverse.infrastructure.storage.folder_uploads import FolderUploads
    from chapterverse.infrastructure.vectors.exact import ArrayIndex
    from chapterverse.lectures.store import SqlLectures
    from chapterverse.library.store import SqlCatalog
    from chapterverse.operations.retention import SqlSchool
    from chapterverse.settings import Settings

BATCH_AT_ONCE = 8  # essays of batches that one process works on

_one_at_a_time = Lock()  # threads begin together; what they share is made once


def bucket(s: Settings) -> Bucket:
    """Cloud Storage, or a folder."""
    if s.artefacts:
        from chapterverse.infrastructure.storage.gcs import GcsBucket, open_bucket

        return GcsBucket(open_bucket(_bucket_name(s.artefacts)))
    from chapterverse.infrastructure.storage.folder import FolderBucket

    return FolderBucket(s.home / "artefacts")


def results(s: Settings) -> Bucket:
    """Where batches of essays and what is written on them are kept: Cloud Storage, or a folder."""
    if s.results:
        from chapterverse.infrastructure.storage.gcs import GcsBucket, open_bucket

        return GcsBucket(open_bucket(_bucket_name(s.results)))
    from chapterverse.infrastructure.storage.folder import FolderBucket

    return FolderBucket(s.home / "results")


def uploads(s: Settings) -> Uploads:
    """Cloud Storage, S3, or a folder."""
    return store_at(s.uploads) if s.uploads else folder_uploads(s, address="")


def store_at(address: str) -> Uploads:
    """The store of a gs:// or s3:// address."""
    if address.startswith("gs://"):
        from chapterverse.infrastructure.storage.gcs import GcsUploads, open_bucket

        return GcsUploads(open_bucket(_bucket_name(address)))
    from chapterverse.infrastructure.storage.s3 import S3Uploads, open_client

    return S3Uploads(open_client(), _bucket_name(address))


def folder_uploads(s: Settings, address: str) -> FolderUploads:
    """A folder whose files arrive through our own HTTP interface, which is reached at `address`."""
    from chapterverse.infrastructure.storage.files import kept_secret
    from chapterverse.infrastructure.storage.folder_uploads import FolderUploads

    return FolderUploads(s.home / "uploads", address, kept_secret(s.home / "secret"))


def _bucket_name(url: str) -> str:
    return url.partition("://")[2].partition("/")[0]


def catalog(s: Settings, collection: Collection | None = None) -> SqlCatalog:
    """PostgreSQL or SQLite; of the books where no collection is named."""
    from chapterverse.core.book import Collection
    from chapterverse.library.store import SqlCatalog

    return SqlCatalog(database(s), collection=collection or Collection.BOOKS)


def rates(s: Settings) -> TokenBuckets:
    """PostgreSQL, which all processes share; in memory with SQLite, where one process serves (ADR 56)."""
    if not s.catalog.get_secret_value():
        from chapterverse.infrastructure.rates import MemoryTokenBuckets

        return MemoryTokenBuckets()
    from chapterverse.infrastructure.sql.rates import SqlTokenBuckets

    return traced_port("rates", lambda: SqlTokenBuckets(database(s)))


def keys(s: Settings) -> SqlKeys:
    """API keys, in the catalog's database."""
    from chapterverse.accounts.store import SqlKeys

    return SqlKeys(database(s))


def people(s: Settings) -> SqlPeople:
    """Who may sign in, in the catalog's database."""
    from chapterverse.accounts.store import SqlPeople

    return SqlPeople(database(s))


def accounts(s: Settings) -> SqlAccounts:
    """By which accounts of their schools people may sign in, in the catalog's database."""
    from chapterverse.accounts.store import SqlAccounts

    return SqlAccounts(database(s))


def school_records(s: Settings) -> SqlSchool:
    """Whatever the catalog's database keeps of a school."""
    from chapterverse.operations.retention import SqlSchool

    return SqlSchool(database(s))


def batches(s: Settings) -> SqlBatches:
    """Batches of essays, in the catalog's database."""
    from chapterverse.essays.batch.store import SqlBatches

    return SqlBatches(database(s))


def choices(s: Settings) -> SqlChoices:
    """What schools have set for themselves, in the catalog's database."""
    from chapterverse.accounts.store import SqlChoices

    return SqlChoices(database(s))


def feedback(s: Settings) -> SqlFeedback:
    """Feedback that was given, in the catalog's database."""
    from chapterverse.essays.store import SqlFeedback

    return SqlFeedback(database(s))


def lectures(s: Settings) -> SqlLectures:
    """Lectures and citations beside them, in the catalog's database."""
    from chapterverse.lectures.store import SqlLectures

    return traced_port("lectures", lambda: SqlLectures(database(s)))


def database(s: Settings) -> Database:
    """The catalog's, with the connections that all stores of this process share."""
    address = s.catalog.get_secret_value() or f"sqlite:///{s.home / 'catalog.db'}"
    with _one_at_a_time:
        return database_at(address)


@lru_cache(maxsize=1)  # a process has one; tests have many, one after the other
def database_at(address: str) -> Database:
    """The database of that address, opened at its first use."""
    from chapterverse.infrastructure.sql.engine import Database

    return Database(address)


def index(s: Settings, recent: Recent | None = None) -> VectorIndex:
    """pgvector, a Chroma server, or an index on this machine; recent: caches what was read.

    On this machine: Chroma inside this process, with the arrays that are compared; the arrays alone where Chroma is not
    installed (docs/adr/0054-chroma-is-an-extra.md)."""
    if s.index == "pgvector":
        from chapterverse.infrastructure.vectors.pgvector import PgvectorIndex

        return PgvectorIndex(database(s).engine)
    if not s.index and not find_spec("chromadb"):
        return _arrays(_local_vectors(s), recent)
    from chapterverse.infrastructure.vectors.chroma import embedded_index, server_index

    if s.index not in {"", "graph"}:
        address, tenant, of_tenant = _chroma_address(s.index.removeprefix("exact+"))
        server = server_index(address, tenant, of_tenant, s.chroma_key.get_secret_value())
        return _compared_whole(server, bucket(s), recent) if s.is_exact else server
    graphs = embedded_index(s.home / "chroma")
    return _compared_whole(graphs, _local_vectors(s), recent) if s.is_exact else graphs


def words(s: Settings) -> LexicalIndex:
    """PostgreSQL's full text search, where the catalog is there, or SQLite's."""
    if s.catalog.get_secret_value():
        from chapterverse.infrastructure.vectors.postgres_words import PostgresWords

        return PostgresWords(database(s).engine)
    from chapterverse.infrastructure.vectors.sqlite_words import SqliteWords

    return SqliteWords(s.home / "words")


def _chroma_address(given: str) -> tuple[str, str, str]:
    """Address, tenant and database; the latter two are empty for the server's default."""
    parts = urlsplit(given)
    chosen = dict(parse_qsl(parts.query))
    return parts._replace(query="").geturl(), chosen.get("tenant", ""), chosen.get("database", "")


def _compared_whole(graphs: VectorIndex, copies: Bucket, recent: Recent | None) -> VectorIndex:
    from chapterverse.infrastructure.vectors.exact import ExactIndex

    return ExactIndex(graphs, _arrays(copies, recent))


def _arrays(bucket: Bucket, recent: Recent | None) -> ArrayIndex:
    from chapterverse.core.recent import Recent
    from chapterverse.infrastructure.vectors.exact import ArrayIndex

    return ArrayIndex(bucket, recent or Recent())


def _local_vectors(s: Settings) -> Bucket:
    from chapterverse.infrastructure.storage.folder import FolderBucket

    return FolderBucket(s.home / "vectors")


def queue(s: Settings) -> TaskQueue:
    """Cloud Tasks, or a queue inside this process."""
    if s.queue:
        return _cloud_tasks(s, s.tasks_url)
    from chapterverse.infrastructure.queue.local import LocalQueue

    return LocalQueue()


def batch_queue(s: Settings) -> TaskQueue:
    """Where the essays of batches wait: Cloud Tasks for the function run_nightly_batches, or a queue inside this process.

    Raises BadRequest where there are tasks, and nobody to do these."""
    if s.queue:
        if not s.batch_url:
            raise BadRequest("batches_not_offered")
        return _cloud_tasks(s, s.batch_url)
    return local_batch_queue()


def _cloud_tasks(s: Settings, url: str) -> TaskQueue:
    """The queue of the settings, whose tasks go to `url`; with ?emulator=HOST:PORT, that of a local emulator."""
    from chapterverse.infrastructure.queue.cloud_tasks import CloudTasksQueue, open_client

    name, _, query = s.queue.partition("?")
    emulator = dict(parse_qsl(query)).get("emulator", "")
    return CloudTasksQueue(open_client(emulator), name, url, s.tasks_account)


def local_batch_queue() -> LocalQueue:
    """So many essays at once."""
    from chapterverse.infrastructure.queue.local import LocalQueue

    return LocalQueue(BATCH_AT_ONCE)
