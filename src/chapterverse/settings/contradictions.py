"""What is set and cannot work."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from chapterverse.settings import Settings


def contradictions(s: Settings) -> Iterator[str]:
    """What is set and cannot work, each with what to do; names without CHAPTERVERSE_."""
    if s.artefacts and not s.artefacts.startswith("gs://"):
        yield "ARTEFACTS is gs://BUCKET, or nothing for a folder."
    if s.uploads and not s.uploads.startswith(("gs://", "s3://")):
        yield "UPLOADS is gs://BUCKET or s3://BUCKET, or nothing for a folder."
    if (catalog := s.catalog.get_secret_value()) and not catalog.startswith("postgresql+psycopg://"):
        yield "CATALOG is postgresql+psycopg://USER@HOST/DATABASE, or nothing for SQLite."
    if s.index not in {"", "pgvector"} and not s.index.startswith(("http://", "https://")):
        yield "INDEX is http(s)://HOST:PORT of a Chroma server, pgvector, or nothing for Chroma inside this process."
    if s.index == "pgvector" and not catalog:
        yield "INDEX=pgvector keeps vectors in the catalog's PostgreSQL: set CATALOG, too."
    if s.chroma_key.get_secret_value() and not s.index.startswith("http"):
        yield "CHROMA_KEY is for a Chroma server: set INDEX to its address."
    if s.embedder in {"remote", "openai"} and not s.embedder_url:
        yield f"EMBEDDER={s.embedder} needs EMBEDDER_URL."
    if s.embedding_model_before and s.embedder == "remote" and not s.embedder_url_before:
        yield "EMBEDDING_MODEL_BEFORE needs EMBEDDER_URL_BEFORE: an embedder runs one model."
    yield from _contradictions_of_chunks(s)
    yield from _contradictions_of_llm(s)
    yield from _contradictions_of_batches(s)
    if s.approval and not s.keep_days:
        yield "APPROVAL needs KEEP_DAYS: what is not kept cannot be approved."
    if s.queue and not s.tasks_url:
        yield "QUEUE needs TASKS_URL, the address of the service that does the tasks."
    if s.queue and not (s.artefacts and s.uploads and catalog and s.index):
        yield "QUEUE hands work to other machines, which see no folder of this one: set ARTEFACTS, UPLOADS, CATALOG and INDEX."
    if s.allowed_callers and not s.audience:
        yield "ALLOWED_CALLERS needs AUDIENCE, the address that their tokens must name."


def _contradictions_of_chunks(s: Settings) -> Iterator[str]:
    for unit, most, overlap in (
        ("WINDOW_CHARACTERS", s.window_characters, s.window_overlap),
        ("SECTION_MOST", s.section_most, s.section_overlap),
        ("PASSAGE_MOST", s.passage_most, s.passage_overlap),
    ):
        if overlap * 2 > most:
            yield f"{unit}: at most half of a chunk may overlap the one before."
    if s.paragraph_least * 2 > s.paragraph_most:
        yield "PARAGRAPH_LEAST is at most half of PARAGRAPH_MOST: two that are joined have to fit."
    if s.snippet_least * 2 > s.snippet_most:
        yield "SNIPPET_LEAST is at most half of SNIPPET_MOST: a snippet ends between two words."


def _contradictions_of_batches(s: Settings) -> Iterator[str]:
    if s.results and not s.results.startswith("gs://"):
        yield "RESULTS is gs://BUCKET, or nothing for a folder."
    if s.batch_llm == "vertex" and not (s.llm == "gemini" and s.results):
        yield "BATCH_LLM=vertex is for Gemini, and reads and writes in a bucket: set LLM=gemini and RESULTS."
    if s.night_url and not (s.queue and s.results):
        yield "NIGHT_URL is where a queue brings essays, whose results other machines have to see: set QUEUE and RESULTS, too."


def _contradictions_of_llm(s: Settings) -> Iterator[str]:
    if s.llm in {"gemini", "openai"} and not s.llm_model:
        yield f"LLM={s.llm} needs LLM_MODEL, its name."
    if s.llm == "openai" and not s.llm_url:
        yield "LLM=openai needs LLM_URL, the server's address that ends in /v1."
    if s.llm == "gemini" and not s.llm_project:
        yield "LLM=gemini needs LLM_PROJECT, the Google Cloud project."
    if s.key_sentence_by == "llm" and not s.llm:
        yield "KEY_SENTENCE_BY=llm asks the language model: set LLM, too."
