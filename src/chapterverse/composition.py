"""The composition root: the only place that knows what is real. What is heavy is imported where it is chosen."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from chapterverse.model import Limits
    from chapterverse.ports import Catalog, Embedder, VectorIndex
    from chapterverse.retrieval.plan import RetrievalPlan
    from chapterverse.settings import Settings
    from chapterverse.usecases.recent import Recent
    from chapterverse.usecases.services import Parser, Services


def compose(s: Settings) -> Services:
    """Everything a use case may need, on one machine: no key, no server, no GPU, all state under s.home."""
    from chapterverse.adapters.folder import FolderBucket
    from chapterverse.usecases.recent import Recent
    from chapterverse.usecases.services import Services

    recent = Recent(s.memory_megabytes * 2**20)
    return Services(
        bucket=FolderBucket(s.home / "artefacts"),
        catalog=catalog(s),
        index=index(s, recent),
        embedder=embedder(s),
        parser=parser(),
        recent=recent,
    )


def catalog(s: Settings) -> Catalog:
    """SQLite; opening it brings its tables up to date."""
    from chapterverse.adapters.sql_catalog import SqlCatalog

    return SqlCatalog(f"sqlite:///{s.home / 'catalog.db'}")


def index(s: Settings, recent: Recent) -> VectorIndex:
    """Chroma inside this process: searched along its graphs, or only asked what is there."""
    from chapterverse.adapters.chroma import ChromaIndex, embedded_client
    from chapterverse.adapters.exact_index import ExactIndex
    from chapterverse.adapters.folder import FolderBucket

    folder = s.home / "chroma"
    graphs = ChromaIndex(embedded_client(folder), folder)
    return graphs if s.search == "graph" else ExactIndex(graphs, FolderBucket(s.home / "vectors"), recent)


def embedder(s: Settings) -> Embedder:
    """The model named in the settings; it is loaded at its first vector."""
    if s.embedder == "sentence-transformers":
        from chapterverse.adapters.sentence_transformers_embedder import SentenceTransformersEmbedder

        return SentenceTransformersEmbedder(s.embedding_model)
    from chapterverse.adapters.onnx_embedder import OnnxEmbedder

    return OnnxEmbedder(s.embedding_model, s.home / "models")


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
