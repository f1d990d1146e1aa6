"""The re-ranker, where there is one, on the candidates of an essay or a question: within its share of the time."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from time import monotonic

from chapterverse.model import ChunkId, Hit, Query, SentenceId, VersionKey
from chapterverse.retrieval.plan import RetrievalPlan
from chapterverse.retrieval.rerank import Reranked, rerank
from chapterverse.usecases.chunks import is_by_sentences
from chapterverse.usecases.services import Services
from chapterverse.usecases.shelf import OpenBook


@dataclass(frozen=True, slots=True)
class CloserLook:
    """What an answer says of it: the model, how many candidates of queries it judged, of so many worth it."""

    model: str
    judged: int
    worth: int


def look_closer(
    queries: Sequence[Query],
    hits: list[list[Hit]],
    plan: RetrievalPlan,
    books: Mapping[str, OpenBook],
    services: Services,
) -> tuple[list[list[Hit]], CloserLook | None]:
    """The hits of each query in a better order, and what was done for it; as they were, and None, without a re-ranker.

    books: by version. Raises NotFound for a book that is gone meanwhile, ModelUnavailable."""
    if services.reranker is None:
        return hits, None
    texts = texts_of([hit for its_hits in hits for hit in its_hits[: plan.reranked]], books, services)
    deadline = monotonic() + plan.rerank_seconds
    found = rerank(queries, hits, plan, reranker=services.reranker, text_of=lambda hit: texts[hit.record.id], deadline=deadline)
    return found.hits, told(found)


def told(found: Reranked) -> CloserLook:
    """Without the hits."""
    return CloserLook(found.model, found.judged, found.worth)


def texts_of(hits: Sequence[Hit], books: Mapping[str, OpenBook], services: Services) -> dict[SentenceId | ChunkId, str]:
    """As the books have them; of an entry its question, too. Raises NotFound."""
    return {hit.record.id: _text_of(hit, books[hit.record.version].key, services) for hit in hits}


def _text_of(hit: Hit, key: VersionKey, services: Services) -> str:
    if is_by_sentences(key):
        return services.text_of(key).sentence(hit.record.id).text
    chunk = services.chunks_of(key).chunk(hit.record.id)
    return f"{chunk.question}\n{chunk.text}" if chunk.question else chunk.text
