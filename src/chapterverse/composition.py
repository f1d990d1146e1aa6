"""The composition root: the only place that knows what is real. What is heavy is imported where it is chosen.

Every setting chooses for itself: nothing set, and all is on one machine, below s.home. Calls of a port are spans of a trace."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable

    from chapterverse.adapters.folder_uploads import FolderUploads
    from chapterverse.adapters.lanes import Lanes, Watch
    from chapterverse.model import Limits
    from chapterverse.ports import Bucket, Catalog, Embedder, KeyStore, LanguageModel, TaskQueue, Uploads, VectorIndex
    from chapterverse.retrieval.plan import RetrievalPlan
    from chapterverse.settings import Settings
    from chapterverse.usecases.recent import Recent
    from chapterverse.usecases.services import Intake, Parser, Services
    from chapterverse.usecases.writing import PaidModel, Writing
    from chapterverse.web.parts import Figures, Parts

Port = TypeVar("Port")


def compose(s: Settings, model: Embedder | None = None) -> Services:
    """Everything a use case may need; model: instead of the one that the settings choose."""
    from chapterverse.usecases.recent import Recent
    from chapterverse.usecases.services import Services

    recent = Recent(s.memory_megabytes * 2**20)
    return Services(
        bucket=_traced("bucket", lambda: bucket(s)),
        catalog=_traced("catalog", lambda: catalog(s)),
        index=_traced("index", lambda: index(s, recent)),
        embedder=_traced("embedder", lambda: model or embedder(s)),
        parser=_traced("parser", parser),
        recent=recent,
    )


def intake(s: Settings, services: Services | None = None, store: Uploads | None = None) -> Intake:
    """What taking in uploaded files needs, with these services and that store of files, or new ones."""
    from chapterverse.usecases.services import Intake

    return Intake(
        services=services or compose(s),
        uploads=_traced("uploads", lambda: store or uploads(s)),
        queue=_traced("queue", lambda: queue(s)),
        limits=limits(s),
        batch_sentences=s.batch_sentences,
        attempts=s.task_attempts,
    )


def web(s: Settings, address: str = "") -> Parts:
    """What the HTTP interface stands on; address: where it is reached, for files that it takes in itself."""
    from chapterverse.adapters.pages import draw_in_child
    from chapterverse.adapters.sql_catalog import utc_now
    from chapterverse.web.parts import Parts

    files = None if s.uploads else folder_uploads(s, address)
    online, bulk = _for_people_and_for_bulk(s)
    return Parts(
        services=online,
        intake=intake(s, bulk, files),
        keys=_traced("keys", lambda: keys(s)),
        plan=essay_plan(s),
        draw=draw_in_child,
        figures=figures(s),
        now=utc_now,
        files=files,
        writing=writing(s, online.embedder),
    )


def _for_people_and_for_bulk(s: Settings) -> tuple[Services, Services]:
    """The same but for the embedder's lane; a remote one parts them itself."""
    if s.embedder in {"remote", "openai"}:
        both = compose(s)
        return both, both
    two = lanes(s)
    online = compose(s, two.online)
    return online, replace(online, embedder=_traced("embedder", lambda: two.bulk))


def lanes(s: Settings, watch: Watch | None = None) -> Lanes:
    """Two lanes to one model in this process; watch is told what passes through them."""
    from chapterverse.adapters.lanes import Lanes

    return Lanes(embedder(s), s.batch_tokens, s.max_queued_texts, watch=watch)


def writing(s: Settings, embedder: Embedder) -> Writing:
    """What feedback is written with; embedder: for its verdicts. What is slow to load is loaded now, not by the first essay."""
    from chapterverse.feedback.comments import Dimension, Style, Tone
    from chapterverse.feedback.rules.spelling import read_dictionary
    from chapterverse.usecases.careful_judge import CarefulJudge
    from chapterverse.usecases.writing import Writing

    read_dictionary()
    return Writing(
        style=Style(s.grade, Tone(s.tone), tuple(dict.fromkeys(map(Dimension, s.dimensions.split(","))))),
        paid=paid_model(s) if s.llm else None,
        judge=CarefulJudge(embedder),
        seconds=s.feedback_seconds,
        model_seconds=s.llm_seconds,
    )


def paid_model(s: Settings) -> PaidModel:
    """The language model, with what it may cost."""
    from chapterverse.adapters.sql_ledger import SqlLedger
    from chapterverse.usecases.writing import PaidModel, Price

    model = language_model(s)
    return PaidModel(
        model=_traced("language_model", lambda: model),
        ledger=_traced("ledger", lambda: SqlLedger(_database(s))),
        price=Price(s.llm_price_prompt, s.llm_price_answer),
        ceiling=round(s.llm_day_ceiling * 1_000_000),
    )


def language_model(s: Settings) -> LanguageModel:
    """Gemini, or a server that speaks OpenAI's protocol."""
    if s.llm == "gemini":
        from chapterverse.adapters import gemini

        return gemini.GeminiModel(gemini.open_client(s.llm_project, s.llm_location, s.llm_url), s.llm_model)
    from chapterverse.adapters import openai_compatible

    client = openai_compatible.open_client(s.llm_url, s.llm_key.get_secret_value())
    return openai_compatible.OpenAiModel(client, s.llm_model)


def bucket(s: Settings) -> Bucket:
    """Cloud Storage, or a folder."""
    if s.artefacts:
        from chapterverse.adapters.gcs import GcsBucket, open_bucket

        return GcsBucket(open_bucket(_bucket_name(s.artefacts)))
    from chapterverse.adapters.folder import FolderBucket

    return FolderBucket(s.home / "artefacts")


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


def catalog(s: Settings) -> Catalog:
    """PostgreSQL or SQLite."""
    from chapterverse.adapters.sql_catalog import SqlCatalog

    return SqlCatalog(_database(s))


def keys(s: Settings) -> KeyStore:
    """API keys, in the catalog's database."""
    from chapterverse.adapters.sql_keys import SqlKeys

    return SqlKeys(_database(s))


def _database(s: Settings) -> str:
    return s.catalog.get_secret_value() or f"sqlite:///{s.home / 'catalog.db'}"


def index(s: Settings, recent: Recent | None = None) -> VectorIndex:
    """pgvector, a Chroma server, or Chroma inside this process; recent: what is read lately is kept there."""
    if s.index == "pgvector":
        from chapterverse.adapters.pgvector import PgvectorIndex
        from chapterverse.adapters.pgvector_database import open_index_database

        return PgvectorIndex(open_index_database(_database(s)))
    from chapterverse.adapters.chroma import embedded_index, server_index

    if s.index:
        return server_index(s.index, s.chroma_tenant, s.chroma_database, s.chroma_key.get_secret_value())
    graphs = embedded_index(s.home / "chroma")
    return graphs if s.search == "graph" else _compared_whole(graphs, s, recent)


def _compared_whole(graphs: VectorIndex, s: Settings, recent: Recent | None) -> VectorIndex:
    from chapterverse.adapters.exact_index import ExactIndex
    from chapterverse.adapters.folder import FolderBucket
    from chapterverse.usecases.recent import Recent

    return ExactIndex(graphs, FolderBucket(s.home / "vectors"), recent or Recent(s.memory_megabytes * 2**20))


def embedder(s: Settings) -> Embedder:
    """The model named in the settings; it is loaded, or called, at its first vector."""
    if s.embedder == "remote":
        from chapterverse.adapters.remote_embedder import RemoteEmbedder

        return RemoteEmbedder(s.embedder_url, s.embedding_model, s.embedder_dimensions, s.audience)
    if s.embedder == "openai":
        from chapterverse.adapters.openai_embedder import OpenAiEmbedder

        return OpenAiEmbedder(s.embedder_url, s.embedding_model, s.embedder_dimensions, s.embedder_key.get_secret_value())
    if s.embedder == "sentence-transformers":
        from chapterverse.adapters.sentence_transformers_embedder import SentenceTransformersEmbedder

        return SentenceTransformersEmbedder(s.embedding_model)
    from chapterverse.adapters.onnx_embedder import OnnxEmbedder

    return OnnxEmbedder(s.embedding_model, s.home / "models")


def queue(s: Settings) -> TaskQueue:
    """Cloud Tasks, or a queue inside this process."""
    if s.queue:
        from chapterverse.adapters.cloud_tasks import CloudTasksQueue, open_client

        return CloudTasksQueue(open_client(s.tasks_emulator), s.queue, s.tasks_url, s.identity)
    from chapterverse.adapters.local_queue import LocalQueue

    return LocalQueue()


def parser() -> Parser:
    """PyMuPDF in a child process."""
    from chapterverse.adapters.guarded_parser import parse_in_child

    return parse_in_child


def limits(s: Settings) -> Limits:
    """What one school may store and one PDF may cost."""
    from chapterverse.model import Limits

    return Limits(
        books=s.max_books,
        bytes=s.max_book_bytes,
        pages=s.max_book_pages,
        words=s.max_book_words,
        seconds=s.parse_seconds,
        megabytes=s.parse_megabytes,
    )


def figures(s: Settings) -> Figures:
    """The limits of the HTTP interface."""
    from chapterverse.web.parts import Figures

    return Figures(
        essay_words=s.max_essay_words,
        body_bytes=s.max_body_bytes,
        requests_per_minute=s.requests_per_minute,
        open_requests=s.max_open_requests,
        upload_url_seconds=s.upload_url_seconds,
    )


def essay_plan(s: Settings) -> RetrievalPlan:
    """S1's plan with the figures of the settings."""
    from chapterverse.retrieval.plan import ESSAY_FEEDBACK

    return replace(
        ESSAY_FEEDBACK,
        key_sentences=s.key_sentences,
        candidates_per_query=s.candidates_per_query,
        max_similarity=s.max_similarity,
        min_score=s.min_score,
    )


def _traced(name: str, make: Callable[[], Port]) -> Port:
    """Made at its first use: a function that needs no index does not load one."""
    from chapterverse.observability.spans import traced

    return traced(name, make)
