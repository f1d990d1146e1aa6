"""Build what answers questions, the services of each collection, and limits."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from chapterverse.composition import models, stores
from chapterverse.infrastructure.telemetry.spans import traced_port

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from chapterverse.core.book import Collection, Limits
    from chapterverse.core.ports import Embedder, Redactor
    from chapterverse.library.chunks import Chunker, Count
    from chapterverse.library.services import CollectionServices
    from chapterverse.questions.styles import AnswerSettings
    from chapterverse.settings import Settings
    from chapterverse.web.context import HttpLimits


def answer_settings(s: Settings, embedder: Embedder) -> AnswerSettings:
    """How questions are answered: by the language model if there is one, else by quoting sources."""
    from chapterverse.questions.styles import AnswerSettings

    return AnswerSettings(
        embedder=embedder,
        paid=models.paid_model(s) if s.llm else None,
        redactor=redactor(s),
        school_model=models.school_model(s),
    )


def redactor(s: Settings) -> Redactor:
    """Presidio, loaded at its first text."""
    from chapterverse.infrastructure.redaction import PresidioRedactor

    return traced_port("redactor", lambda: PresidioRedactor(s.redaction_model))


def _sentences(_count: Count) -> Chunker:
    from chapterverse.library.chunks import SENTENCES

    return SENTENCES


def _windows(_count: Count) -> Chunker:
    from chapterverse.library.chunks import windows

    return windows()


def _sections(count: Count) -> Chunker:
    from chapterverse.library.chunks import sections

    return sections(count)


def _passages(count: Count) -> Chunker:
    from chapterverse.library.chunks import passages

    return passages(count)


def _paragraphs(count: Count) -> Chunker:
    from chapterverse.library.chunks import paragraphs

    return paragraphs(count)


BOOKS = "books"  # the value of Collection.BOOKS, without the import of numpy

COLLECTIONS: Mapping[
    str, Callable[[Count], Chunker]
] = {  # each another unit, because equal units would share a partition of the index
    BOOKS: _sentences,
    "documents": _windows,
    "textbook": _sections,
    "helpdesk": _passages,
    "lectures": _paragraphs,
}

QUESTION_COLLECTIONS = {"documents", "textbook", "helpdesk"}


def collection_services(s: Settings, services: CollectionServices, collection: Collection) -> CollectionServices:
    """The services for another collection: its catalog and chunker."""
    if collection is services.collection:
        return services

    def count(texts: Sequence[str]) -> list[int]:  # opens the embedder at the first chunked source
        return services.embedder.count_tokens(texts)

    return replace(
        services,
        read_answers=models.answer_reader().log_odds if collection in QUESTION_COLLECTIONS else None,
        catalog=traced_port("catalog", lambda: stores.catalog(s, collection)),
        collection=collection,
        chunker=COLLECTIONS[collection](count),
        topics=tuple(filter(None, map(str.strip, s.topics.split(",")))),
    )


def all_collection_services(s: Settings, services: CollectionServices) -> dict[Collection, CollectionServices]:
    """The services of every collection."""
    from chapterverse.core.book import Collection

    return {collection: collection_services(s, services, collection) for collection in Collection}


def limits(s: Settings, collection: Collection | None = None) -> Limits:
    """What a school may store in the collection, and what one PDF may cost."""
    import bookreader
    from chapterverse.library.uploads import DEFAULT_LIMITS, MAX_SOURCES

    seconds = (DEFAULT_LIMITS if s.queue else bookreader.DEFAULT_LIMITS).seconds
    return replace(DEFAULT_LIMITS, books=s.max_books if collection in {None, BOOKS} else MAX_SOURCES, seconds=seconds)


def http_limits(s: Settings) -> HttpLimits:
    """The limits of the HTTP interface."""
    from chapterverse.web.context import HttpLimits

    return HttpLimits(
        requests_per_minute=s.requests_per_minute,
        open_requests=s.max_open_requests,
    )
