"""The collections of a school: how the sources of each are cut."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from chapterverse.composition import answers, models, stores
from chapterverse.composition.tracing import traced

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from chapterverse.ingestion.chunks.cutter import Cutter
    from chapterverse.ingestion.chunks.pieces import Count
    from chapterverse.model import Collection
    from chapterverse.settings import Settings
    from chapterverse.usecases.services import Services


def _sentences(_count: Count) -> Cutter:
    from chapterverse.ingestion.chunks.cutter import SENTENCES

    return SENTENCES


def _windows(_count: Count) -> Cutter:
    from chapterverse.ingestion.chunks.windows import windows

    return windows()


def _sections(count: Count) -> Cutter:
    from chapterverse.ingestion.chunks.by_tokens import sections

    return sections(count)


def _passages(count: Count) -> Cutter:
    from chapterverse.ingestion.chunks.by_tokens import passages

    return passages(count)


def _paragraphs(count: Count) -> Cutter:
    from chapterverse.ingestion.chunks.by_tokens import paragraphs

    return paragraphs(count)


BOOKS = "books"  # Collection.BOOKS by its value: the model brings numpy, which asking for help does without
COLLECTIONS: Mapping[
    str, Callable[[Count], Cutter]
] = {  # no two of one granularity: their vectors would share a partition of the index
    BOOKS: _sentences,
    "documents": _windows,
    "textbook": _sections,
    "helpdesk": _passages,
    "lectures": _paragraphs,
}


ASKED = {"documents", "textbook", "helpdesk"}


def shelf(s: Settings, services: Services, collection: Collection) -> Services:
    """The same services for another collection."""
    if collection is services.collection:
        return services

    def count(texts: Sequence[str]) -> list[int]:  # at the first source that is cut: the embedder is not made before
        return services.embedder.count_tokens(texts)

    return replace(
        services,
        reranker=models.reranker(s.question_rerank) if collection in ASKED else services.reranker,
        other_words=answers.other_words(s) if collection in ASKED and s.llm and s.question_expansion == "llm" else None,
        catalog=traced("catalog", lambda: stores.catalog(s, collection)),
        collection=collection,
        cutter=COLLECTIONS[collection](count),
        topics=tuple(filter(None, map(str.strip, s.topics.split(",")))),
    )


def shelves(s: Settings, services: Services) -> dict[Collection, Services]:
    """Those of every collection."""
    from chapterverse.model import Collection

    return {collection: shelf(s, services, collection) for collection in Collection}
