"""The collections of a school: how the sources of each are cut, and how many there may be."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from chapterverse.composition import answers, models, stores
from chapterverse.composition.tracing import traced

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from chapterverse.ingestion.chunks.cutter import Cutter
    from chapterverse.ingestion.chunks.pieces import Count
    from chapterverse.model import Collection
    from chapterverse.settings import Settings
    from chapterverse.usecases.services import Services


class Kept(NamedTuple):
    """cutter: from the settings and what counts tokens; most: sources of a school."""

    cutter: Callable[[Settings, Count], Cutter]
    most: Callable[[Settings], int]


def _sentences(_s: Settings, _count: Count) -> Cutter:
    from chapterverse.ingestion.chunks.cutter import SENTENCES

    return SENTENCES


def _windows(s: Settings, _count: Count) -> Cutter:
    from chapterverse.ingestion.chunks.windows import windows

    return windows(s.window_characters, s.window_overlap)


def _sections(s: Settings, count: Count) -> Cutter:
    from chapterverse.ingestion.chunks.by_tokens import sections

    return sections(count, s.section_least, s.section_most, s.section_overlap)


def _passages(s: Settings, count: Count) -> Cutter:
    from chapterverse.ingestion.chunks.by_tokens import passages

    return passages(count, s.passage_least, s.passage_most, s.passage_overlap)


def _paragraphs(s: Settings, count: Count) -> Cutter:
    from chapterverse.ingestion.chunks.by_tokens import paragraphs

    return paragraphs(count, s.paragraph_least, s.paragraph_most)


BOOKS = "books"  # Collection.BOOKS by its value: the model brings numpy, which asking for help does without
COLLECTIONS: Mapping[str, Kept] = {  # no two of one granularity: their vectors would share a partition of the index
    BOOKS: Kept(_sentences, lambda s: s.max_books),
    "documents": Kept(_windows, lambda s: s.max_sources),
    "textbook": Kept(_sections, lambda s: s.max_sources),
    "helpdesk": Kept(_passages, lambda s: s.max_sources),
    "lectures": Kept(_paragraphs, lambda s: s.max_sources),
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
        cutter=COLLECTIONS[collection].cutter(s, count),
        topics=tuple(filter(None, map(str.strip, s.topics.split(",")))),
    )


def shelves(s: Settings, services: Services) -> dict[Collection, Services]:
    """Those of every collection."""
    from chapterverse.model import Collection

    return {collection: shelf(s, services, collection) for collection in Collection}
