"""Where things are kept: on this machine below s.home, or where a setting says."""

from __future__ import annotations

from functools import lru_cache
from importlib.util import find_spec
from threading import Lock
from typing import TYPE_CHECKING
from urllib.parse import parse_qsl, urlsplit

from chapterverse.composition.tracing import traced
from chapterverse.errors import BadRequest

if TYPE_CHECKING:
    from chapterverse.adapters.exact_index import ArrayIndex
    from chapterverse.adapters.folder_uploads import FolderUploads
    from chapterverse.adapters.local_queue import LocalQueue
    from chapterverse.adapters.sql_engine import Database
    from chapterverse.model import Collection
    from chapterverse.ports import (
        AccountStore,
        BatchStore,
        Bucket,
        Catalog,
        ChoiceStore,
        FeedbackStore,
        KeyStore,
        LectureStore,
        LexicalIndex,
        PeopleStore,
        SchoolRecords,
        TaskQueue,
        Uploads,
        VectorIndex,
    )
    from chapterverse.settings import Settings
    from chapterverse.usecases.recent import Recent

BATCH_AT_ONCE = 8  # essays of batches that one process works on
_one_at_a_time = Lock()  # threads begin together; what they share is made once


def bucket(s: Settings) -> Bucket:
    """Cloud Storage, or a folder."""
    if s.artefacts:
        from chapterverse.adapters.gcs import GcsBucket, open_bucket

        return GcsBucket(open_bucket(_bucket_name(s.artefacts)))
    from chapterverse.adapters.folder import FolderBucket

    return FolderBucket(s.home / "artefacts")


def results(s: Settings) -> Bucket:
    """Where batches of essays and what is written on them are kept: Cloud Storage, or a folder."""
    if s.results:
        from chapterverse.adapters.gcs import GcsBucket, open_bucket

        return GcsBucket(open_bucket(_bucket_name(s.results)))
    from chapterverse.adapters.folder import FolderBucket

    return FolderBucket(s.home / "results")


def uploads(s: Settings) -> Uploads:
    """Cloud Storage, S3, or a folder."""
    return store_at(s.uploads) if s.uploads else folder_uploads(s, address="")


def store_at(address: str) -> Uploads:
    """The store of a gs:// or s3:// address."""
    if address.startswith("gs://"):
        from chapterverse.adapters.gcs import GcsUploads, open_bucket

        return GcsUploads(open_bucket(_bucket_name(address)))
    from chapterverse.adapters.s3 import S3Uploads, open_client

    return S3Uploads(open_client(), _bucket_name(address))


def folder_uploads(s: Settings, address: str) -> FolderUploads:
    """A folder whose files arrive through our own HTTP interface, which is reached at `address`."""
    from chapterverse.adapters.folder_uploads import FolderUploads
    from chapterverse.adapters.kept_secret import kept_secret

    return FolderUploads(s.home / "uploads", address, kept_secret(s.home / "secret"))


def _bucket_name(url: str) -> str:
    return url.partition("://")[2].partition("/")[0]


def catalog(s: Settings, collection: Collection | None = None) -> Catalog:
    """PostgreSQL or SQLite; of the books where no collection is named."""
    from chapterverse.adapters.sql_catalog import SqlCatalog
    from chapterverse.model import Collection

    return SqlCatalog(database(s), collection=collection or Collection.BOOKS)


def keys(s: Settings) -> KeyStore:
    """API keys, in the catalog's database."""
    from chapterverse.adapters.sql_keys import SqlKeys

    return SqlKeys(database(s))


def people(s: Settings) -> PeopleStore:
    """Who may sign in, in the catalog's database."""
    from chapterverse.adapters.sql_people import SqlPeople

    return SqlPeople(database(s))


def accounts(s: Settings) -> AccountStore:
    """By which accounts of their schools people may sign in, in the catalog's database."""
    from chapterverse.adapters.sql_accounts import SqlAccounts

    return SqlAccounts(database(s))


def school_records(s: Settings) -> SchoolRecords:
    """Whatever the catalog's database keeps of a school."""
    from chapterverse.adapters.sql_school import SqlSchool

    return SqlSchool(database(s))


def batches(s: Settings) -> BatchStore:
    """Batches of essays, in the catalog's database."""
    from chapterverse.adapters.sql_batches import SqlBatches

    return SqlBatches(database(s))


def choices(s: Settings) -> ChoiceStore:
    """What schools have set for themselves, in the catalog's database."""
    from chapterverse.adapters.sql_choices import SqlChoices

    return SqlChoices(database(s))


def feedback(s: Settings) -> FeedbackStore:
    """Feedback that was given, in the catalog's database."""
    from chapterverse.adapters.sql_feedback import SqlFeedback

    return SqlFeedback(database(s))


def lectures(s: Settings) -> LectureStore:
    """Lectures and citations beside them, in the catalog's database."""
    from chapterverse.adapters.sql_lectures import SqlLectures

    return traced("lectures", lambda: SqlLectures(database(s)))


def database(s: Settings) -> Database:
    """The catalog's, with the connections that all stores of this process share."""
    address = s.catalog.get_secret_value() or f"sqlite:///{s.home / 'catalog.db'}"
    with _one_at_a_time:
        return database_at(address)


@lru_cache(maxsize=1)  # a process has one; tests have many, one after the other
def database_at(address: str) -> Database:
    """The database of that address, opened at its first use."""
    from chapterverse.adapters.sql_engine import Database

    return Database(address)


def index(s: Settings, recent: Recent | None = None) -> VectorIndex:
    """pgvector, a Chroma server, or an index on this machine; recent: caches what was read.

    On this machine: Chroma inside this process, with the arrays that are compared; the arrays alone where Chroma is not
    installed (docs/adr/0054-chroma-is-an-extra.md)."""
    if s.index == "pgvector":
        from chapterverse.adapters.pgvector import PgvectorIndex

        return PgvectorIndex(database(s).engine)
    if not s.index and not find_spec("chromadb"):
        return _arrays(_local_vectors(s), recent)
    from chapterverse.adapters.chroma import embedded_index, server_index

    if s.index not in {"", "graph"}:
        address, tenant, of_tenant = _chroma_address(s.index.removeprefix("exact+"))
        server = server_index(address, tenant, of_tenant, s.chroma_key.get_secret_value())
        return _compared_whole(server, bucket(s), recent) if s.is_exact else server
    graphs = embedded_index(s.home / "chroma")
    return _compared_whole(graphs, _local_vectors(s), recent) if s.is_exact else graphs


def words(s: Settings) -> LexicalIndex:
    """PostgreSQL's full text search, where the catalog is there, or SQLite's."""
    if s.catalog.get_secret_value():
        from chapterverse.adapters.postgres_words import PostgresWords

        return PostgresWords(database(s).engine)
    from chapterverse.adapters.sqlite_words import SqliteWords

    return SqliteWords(s.home / "words")


def _chroma_address(given: str) -> tuple[str, str, str]:
    """Address, tenant and database; the latter two are empty for the server's default."""
    parts = urlsplit(given)
    chosen = dict(parse_qsl(parts.query))
    return parts._replace(query="").geturl(), chosen.get("tenant", ""), chosen.get("database", "")


def _compared_whole(graphs: VectorIndex, copies: Bucket, recent: Recent | None) -> VectorIndex:
    from chapterverse.adapters.exact_index import ExactIndex

    return ExactIndex(graphs, _arrays(copies, recent))


def _arrays(bucket: Bucket, recent: Recent | None) -> ArrayIndex:
    from chapterverse.adapters.exact_index import ArrayIndex
    from chapterverse.usecases.recent import Recent

    return ArrayIndex(bucket, recent or Recent())


def _local_vectors(s: Settings) -> Bucket:
    from chapterverse.adapters.folder import FolderBucket

    return FolderBucket(s.home / "vectors")


def queue(s: Settings) -> TaskQueue:
    """Cloud Tasks, or a queue inside this process."""
    if s.queue:
        from chapterverse.adapters.cloud_tasks import CloudTasksQueue, open_client

        return CloudTasksQueue(open_client(s.tasks_emulator), s.queue, s.tasks_url, s.tasks_account)
    from chapterverse.adapters.local_queue import LocalQueue

    return LocalQueue()


def night_queue(s: Settings) -> TaskQueue:
    """Where the essays of batches wait: the same Cloud Tasks, for the function of the night, or a queue inside this process.

    Raises BadRequest where there are tasks, and nobody to do these."""
    if s.queue:
        if not s.batch_url:
            raise BadRequest("batches_not_offered")
        from chapterverse.adapters.cloud_tasks import CloudTasksQueue, open_client

        return CloudTasksQueue(open_client(s.tasks_emulator), s.queue, s.batch_url, s.tasks_account)
    return local_night_queue()


def local_night_queue() -> LocalQueue:
    """So many essays at once."""
    from chapterverse.adapters.local_queue import LocalQueue

    return LocalQueue(BATCH_AT_ONCE)
