"""Build the ports: stores, indexes and queues, on this machine below s.home or where a setting points; embedders, language
models, re-rankers, and what writes feedback."""

from __future__ import annotations

from dataclasses import replace
from functools import cache, lru_cache
from importlib.util import find_spec
from os import cpu_count, environ
from threading import Lock
from typing import TYPE_CHECKING, Any, TypeVar, cast
from urllib.parse import parse_qsl, urljoin

from chapterverse.core.book import Collection
from chapterverse.core.errors import BadRequest

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from google.genai import Client as GeminiClient

    from chapterverse.accounts.setup import ModelSetup
    from chapterverse.core.paid_model import PaidModel
    from chapterverse.core.ports import Bucket, Embedder, TaskQueue, TokenBuckets, Uploads, VectorIndex
    from chapterverse.core.recent import Recent
    from chapterverse.essays.service import Writing
    from chapterverse.infrastructure.embedding.batching import BatchingEmbedder, BatchingObserver
    from chapterverse.infrastructure.llm.gemini import GeminiModel, VertexBatch
    from chapterverse.infrastructure.llm.openai_compatible import OpenAiModel
    from chapterverse.infrastructure.llm.readers import CrossEncoderReranker
    from chapterverse.infrastructure.sql import Database, SqlStore
    from chapterverse.infrastructure.storage.folder import FolderUploads
    from chapterverse.infrastructure.vectors.bucket import BucketWords
    from chapterverse.library.store import SqlCatalog
    from chapterverse.settings import Settings


Store = TypeVar("Store", bound="SqlStore")
BATCH_AT_ONCE = 8  # essays of batches at once per process
JOB_SECONDS = 120.0  # that a command in a job of Cloud Run waits for the database
MAX_FILES_AT_ONCE = 4  # files and indexing tasks at once per process, and one for each core; half of them for one school
_one_at_a_time = Lock()  # threads start together and share these objects
Port = TypeVar("Port")


def late(make: Callable[[], Port]) -> Port:
    """The port that `make` returns, made at its first use."""
    return cast("Port", _Late(make))


class _Late:
    """Proxy of a port that is not made yet."""

    def __init__(self, make: Callable[[], object]) -> None:
        self._make, self._lock, self._made = make, Lock(), cast("Any", None)

    def __getattr__(self, attribute: str) -> Any:
        return getattr(self._port(), attribute)

    def __call__(self, *arguments: Any, **named: Any) -> Any:
        """Call a port that is a function."""
        return self._port()(*arguments, **named)

    def _port(self) -> Any:
        with self._lock:
            if self._made is None:
                self._made = self._make()
            return self._made


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


def catalog(s: Settings, collection: Collection = Collection.BOOKS) -> SqlCatalog:
    """The catalog of a collection, on PostgreSQL or SQLite."""
    from chapterverse.library.store import SqlCatalog

    return SqlCatalog(database(s), collection=collection)


def rates(s: Settings) -> TokenBuckets:
    """The counters of rate limits: in PostgreSQL, shared by all processes; in memory with SQLite, where one process serves."""
    from chapterverse.infrastructure.quotas import MemoryTokenBuckets, SqlTokenBuckets

    if not s.catalog.get_secret_value():
        return MemoryTokenBuckets()
    return sql(s, SqlTokenBuckets)


def sql(s: Settings, kind: type[Store]) -> Store:
    """A store in the catalogue's database."""
    return late(lambda: kind(database(s)))


def database(s: Settings) -> Database:
    """The catalog's database, with connections that all stores of this process share."""
    address = s.catalog.get_secret_value() or f"sqlite:///{s.home / 'catalog.db'}"
    with _one_at_a_time:
        return database_at(address)


@lru_cache(maxsize=1)  # tests open several in turn
def database_at(address: str) -> Database:
    """The database at that address; it connects at its first use. A job of Cloud Run, which nobody starts again, waits for it:
    a new instance's way into the network may take a minute."""
    from chapterverse.infrastructure.sql import Database

    return Database(address, JOB_SECONDS if "CLOUD_RUN_JOB" in environ else 0)


def index(s: Settings, recent: Recent) -> VectorIndex:
    """The vector index: files in the bucket of artefacts, or on this machine; pgvector; a server's. recent: a cache."""
    if s.index == "pgvector":
        from chapterverse.infrastructure.vectors.pgvector import PgvectorIndex

        return PgvectorIndex(database(s).engine)
    if not s.index:
        from chapterverse.infrastructure.vectors.bucket import BucketIndex

        return BucketIndex(_index_bucket(s), recent)
    from chapterverse.infrastructure.vectors.chroma import ChromaIndex

    return ChromaIndex(s.index)


def words(s: Settings, recent: Recent) -> BucketWords:
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
    from chapterverse.infrastructure.local_queue import LocalQueue

    return LocalQueue(BATCH_AT_ONCE)


def _cloud_tasks(s: Settings, url: str) -> TaskQueue:
    """The queue of the settings, with tasks sent to `url`. With ?emulator=HOST:PORT it is a local emulator's."""
    from chapterverse.infrastructure.cloud_tasks import CloudTasksQueue, open_client

    name, _, query = s.queue.partition("?")
    emulator = dict(parse_qsl(query)).get("emulator", "")
    return CloudTasksQueue(open_client(emulator), name, url, s.tasks_account)


CLOUD_RUN = ".run.app"
BATCH_ESSAY_SECONDS = 300.0  # for one essay of a batch, the language model included


def embedder(s: Settings, *, is_bulk: bool = False) -> Embedder:
    """The embedder that the settings choose; it loads or connects at its first vector. is_bulk: ours elsewhere, on Cloud Run or
    at an endpoint of Vertex AI, is asked at its bulk address."""
    from chapterverse.infrastructure.embedding import BULK, ONLINE

    path = BULK if is_bulk else ONLINE
    if s.embedder == "vertex":
        from chapterverse.infrastructure.embedding.vertex import VertexEmbedder

        return VertexEmbedder(s.embedder_url, s.embedding_model, path=path)
    if s.embedder_is_elsewhere:
        from chapterverse.infrastructure.embedding.remote import IdTokens, RemoteEmbedder

        return RemoteEmbedder(s.embedder_url, s.embedding_model, IdTokens(s.tasks_url) if s.tasks_url else None, path)
    if s.embedder == "sentence-transformers":
        from chapterverse.infrastructure.embedding.local import SentenceTransformersEmbedder

        return SentenceTransformersEmbedder(s.embedding_model)
    from chapterverse.infrastructure.embedding.local import OnnxEmbedder

    return OnnxEmbedder(s.embedding_model, s.home / "models")


def batching_embedder(s: Settings, observer: BatchingObserver | None = None) -> BatchingEmbedder:
    """A local embedder with an online and a bulk queue. observer: of the queues."""
    from chapterverse.infrastructure.embedding.batching import BatchingEmbedder
    from chapterverse.infrastructure.embedding.local import BATCH_TOKENS, CPU_BATCH_TOKENS, GPU_BATCH_TOKENS, available_cores

    tokens = BATCH_TOKENS // 2 * max(2, available_cores())  # half a batch on each core: people wait for one run of others'
    if s.embedder == "sentence-transformers":
        import torch

        tokens = GPU_BATCH_TOKENS if torch.cuda.is_available() else CPU_BATCH_TOKENS
    return BatchingEmbedder(embedder(s), tokens, observer=observer)


def language_model(s: Settings, *, until_deadline: bool = False) -> OpenAiModel | GeminiModel:
    """Gemini, or an OpenAI-compatible server. until_deadline: see StreamedModel."""
    if s.llm == "gemini":
        from chapterverse.infrastructure.llm import gemini

        return gemini.GeminiModel(_gemini_client(s), s.vertex["model"], until_deadline=until_deadline)
    from chapterverse.infrastructure.llm.openai_compatible import OpenAiModel, open_client

    token = None
    if (origin := urljoin(s.llm_url, "/").rstrip("/")).endswith(CLOUD_RUN):
        from chapterverse.infrastructure.embedding.remote import IdTokens

        token = IdTokens(origin)
    return OpenAiModel(open_client(s.llm_url, s.llm_key.get_secret_value(), token), s.llm_model, until_deadline=until_deadline)


def _gemini_client(s: Settings) -> GeminiClient:
    from chapterverse.infrastructure.llm.gemini import open_client

    return open_client(s.vertex["project"], s.vertex["location"], s.llm_url)


def reranker(name: str) -> CrossEncoderReranker | None:
    """The cross-encoder with that name or folder, loaded at its first pair or by warm_up; None without a name."""
    if not name:
        return None
    from chapterverse.infrastructure.llm.readers import CrossEncoderReranker

    return CrossEncoderReranker(name)


def predictor(s: Settings, results: Bucket) -> VertexBatch:
    """Vertex AI's batch prediction."""
    from chapterverse.infrastructure.llm.gemini import VertexBatch

    return VertexBatch(_gemini_client(s), s.vertex["model"], results, s.results.rstrip("/"))


def paid_model(s: Settings, *, until_deadline: bool = False) -> PaidModel:
    """The operator's language model with its price and daily ceiling."""
    prompt, answer = map(float, s.llm_prices.split(","))
    return _paid(s, language_model(s, until_deadline=until_deadline), s.llm_model, (prompt, answer, s.max_llm_cost_per_day))


def _paid(s: Settings, model: OpenAiModel | GeminiModel, name: str, costs: tuple[float, float, float]) -> PaidModel:
    """costs: of a million tokens read, of a million written, at most in a day."""
    from chapterverse.core.paid_model import PaidModel, Price
    from chapterverse.infrastructure.quotas import SqlLedger

    *prices, per_day = costs
    return PaidModel(model, sql(s, SqlLedger), Price(*prices), round(per_day * 1_000_000), name=name, facts=model.facts)


def school_model(s: Settings) -> Callable[[str], PaidModel | None]:
    """A function that returns the language model of a school that has set up one on the page; none where the operator has."""
    from chapterverse.core.paid_model import no_school_model

    if s.llm or not (find_spec("openai") and find_spec("joserfc")):
        return no_school_model
    from chapterverse.composition import school_setups

    setups = cache(lambda: school_setups(s))

    @cache
    def opened(setup: ModelSetup) -> PaidModel:  # one client for as long as nothing changes
        from chapterverse.infrastructure.llm.openai_compatible import OpenAiModel, open_client

        client = open_client(setup.url, setup.key)
        costs = (setup.prompt_price, setup.answer_price, setup.per_day)
        paid = _paid(s, OpenAiModel(client, setup.model), setup.model, costs)
        return replace(paid, checker=OpenAiModel(client, setup.checker) if setup.checker else None)

    return lambda school: opened(setup) if (setup := setups().model(school)) else None


def writing(s: Settings, *, is_bulk: bool = False) -> Writing:
    """What writes feedback; on essays of a batch (is_bulk) with more time."""
    from chapterverse.essays.service import Writing
    from chapterverse.infrastructure.llm.readers import essay_reader

    return Writing(
        paid=paid_model(s, until_deadline=is_bulk) if s.llm else None,
        seconds=BATCH_ESSAY_SECONDS if is_bulk else s.max_feedback_seconds,
        read_essay=essay_reader.signs,
        school_model=school_model(s),
    )
