"""Build stores, indexes and queues: on this machine below s.home, or where a setting points."""

from __future__ import annotations

from functools import lru_cache
from os import cpu_count, environ
from threading import Lock
from typing import TYPE_CHECKING, TypeVar
from urllib.parse import parse_qsl

from chapterverse.core.errors import BadRequest
from chapterverse.infrastructure.spans import traced_port

if TYPE_CHECKING:
    from pathlib import Path

    from chapterverse.core.book import Collection
    from chapterverse.core.ports import Bucket, LexicalIndex, TaskQueue, TokenBuckets, Uploads, VectorIndex
    from chapterverse.core.recent import Recent
    from chapterverse.infrastructure.local_queue import LocalQueue
    from chapterverse.infrastructure.sql.engine import Database, SqlStore
    from chapterverse.infrastructure.storage.folder import FolderUploads
    from chapterverse.library.store import SqlCatalog
    from chapterverse.settings import Settings

Store = TypeVar("Store", bound="SqlStore")
BATCH_AT_ONCE = 8  # essays of batches at once per process
JOB_SECONDS = 120.0  # that a command in a job of Cloud Run waits for the database
MAX_FILES_AT_ONCE = 4  # files and indexing tasks at once per process, and one for each core; half of them for one school
_one_at_a_time = Lock()  # threads start together and share these objects


def bucket(s: Settings) -> Bucket:
    """The bucket of artefacts: Cloud Storage, or a folder."""
    return _bucket(s.artefacts, s.home / "artefacts")


def results(s: Settings) -> Bucket:
    """The bucket of batches and their results: Cloud Storage, or a folder."""
    return _bucket(s.results, s.home / "results")


def _bucket(address: str, folder: Path) -> Bucket:
    if address:
        from chapterverse.infrastructure.storage.gcs import GcsBucket, open_bucket

        return GcsBucket(open_bucket(_bucket_name(address)))
    from chapterverse.infrastructure.storage.folder import FolderBucket

    return FolderBucket(folder)


def uploads(s: Settings) -> Uploads:
    """The store of uploaded files: Cloud Storage, S3, or a folder."""
    if not s.uploads:
        return folder_uploads(s)
    if s.uploads.startswith("gs://"):
        from chapterverse.infrastructure.storage.gcs import GcsUploads, open_bucket

        return GcsUploads(open_bucket(_bucket_name(s.uploads)))
    from chapterverse.infrastructure.storage.s3 import S3Uploads, open_client

    return S3Uploads(open_client(), _bucket_name(s.uploads))


def folder_uploads(s: Settings) -> FolderUploads:
    """A folder for uploads, which arrive as forms."""
    from chapterverse.infrastructure.storage.folder import FolderUploads

    return FolderUploads(s.home / "uploads")


def _bucket_name(url: str) -> str:
    return url.partition("://")[2].partition("/")[0]


def catalog(s: Settings, collection: Collection | None = None) -> SqlCatalog:
    """The catalog of a collection, of the books if None, on PostgreSQL or SQLite."""
    from chapterverse.core.book import Collection
    from chapterverse.library.store import SqlCatalog

    return SqlCatalog(database(s), collection=collection or Collection.BOOKS)


def rates(s: Settings) -> TokenBuckets:
    """The counters of rate limits: in PostgreSQL, shared by all processes; in memory with SQLite, where one process serves."""
    from chapterverse.infrastructure.quotas import MemoryTokenBuckets, SqlTokenBuckets

    if not s.catalog.get_secret_value():
        return MemoryTokenBuckets()
    return sql(s, SqlTokenBuckets)


def sql(s: Settings, kind: type[Store]) -> Store:
    """A store in the catalogue's database; its calls are traced by the name of its class."""
    return traced_port(kind.__name__, lambda: kind(database(s)))


def database(s: Settings) -> Database:
    """The catalog's database, with connections that all stores of this process share."""
    address = s.catalog.get_secret_value() or f"sqlite:///{s.home / 'catalog.db'}"
    with _one_at_a_time:
        return database_at(address)


@lru_cache(maxsize=1)  # tests open several in turn
def database_at(address: str) -> Database:
    """The database at that address; it connects at its first use. A job of Cloud Run, which nobody starts again, waits for it:
    a new instance's way into the network may take a minute."""
    from chapterverse.infrastructure.sql.engine import Database

    return Database(address, JOB_SECONDS if "CLOUD_RUN_JOB" in environ else 0)


def index(s: Settings, recent: Recent | None = None) -> VectorIndex:
    """The vector index: files in the bucket of artefacts, or on this machine; pgvector; a server's. recent: a cache."""
    if s.index == "pgvector":
        from chapterverse.infrastructure.vectors.pgvector import PgvectorIndex

        return PgvectorIndex(database(s).engine)
    if not s.index:
        from chapterverse.core.recent import Recent
        from chapterverse.infrastructure.vectors.bucket import BucketIndex

        return BucketIndex(_index_bucket(s), recent or Recent())
    from chapterverse.infrastructure.vectors.chroma import server_index

    return server_index(s.index)


def words(s: Settings, recent: Recent) -> LexicalIndex:
    """The index of words: files in the bucket of artefacts, or on this machine. recent: a cache."""
    from chapterverse.infrastructure.vectors.bucket import BucketWords

    return BucketWords(_index_bucket(s), recent)


def _index_bucket(s: Settings) -> Bucket:
    return _bucket(s.artefacts, s.home / "vectors")


def queue(s: Settings) -> TaskQueue:
    """The task queue: Cloud Tasks, or a queue in this process."""
    if s.queue:
        return _cloud_tasks(s, s.tasks_url)
    from chapterverse.infrastructure.local_queue import LocalQueue

    workers = min(MAX_FILES_AT_ONCE, max(2, cpu_count() or 1))
    return LocalQueue(workers, share=workers // 2)


def batch_queue(s: Settings) -> TaskQueue:
    """The queue of batches' essays: Cloud Tasks for the function run_nightly_batches, or a queue in this process.

    Raises BadRequest if there is a queue but no address for these tasks."""
    if s.queue:
        if not s.batch_url:
            raise BadRequest("batches_not_offered")
        return _cloud_tasks(s, s.batch_url)
    return local_batch_queue()


def _cloud_tasks(s: Settings, url: str) -> TaskQueue:
    """The queue of the settings, with tasks sent to `url`. With ?emulator=HOST:PORT it is a local emulator's."""
    from chapterverse.infrastructure.cloud_tasks import CloudTasksQueue, open_client

    name, _, query = s.queue.partition("?")
    emulator = dict(parse_qsl(query)).get("emulator", "")
    return CloudTasksQueue(open_client(emulator), name, url, s.tasks_account)


def local_batch_queue() -> LocalQueue:
    """A queue in this process for BATCH_AT_ONCE essays at once."""
    from chapterverse.infrastructure.local_queue import LocalQueue

    return LocalQueue(BATCH_AT_ONCE)
