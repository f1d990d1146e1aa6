"""From a question to the chunks of a collection that bear on it, each with the sentences of it that say most to the question:
these are cited and lit, never the chunk."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from chapterverse.core.book import Chunk, Sentence, SentenceId
from chapterverse.core.hits import Found, Hit, Passage, Query, QueryKind, Scope, Vectors
from chapterverse.core.words import terms_of
from chapterverse.library.scope import OpenBook, look_in_open_books, passage
from chapterverse.library.services import Services
from chapterverse.search.engine import Shelf, best_candidates, choose
from chapterverse.search.plan import EmbeddedQueries, RetrievalPlan
from chapterverse.search.rerank import look_closer

LOOKED_AT = 24  # sentences of a chunk that are embedded where their vectors are not kept: those that share most words with it

SHOWN = 5  # of these, at most


@dataclass(frozen=True, slots=True)
class FoundChunk:
    """A chunk that bears on a question. score: their cosine, whatever else the order was made from. passages: of its sentences
    those that say most to the question, the best first; at least one. book: what it is of. ordered_by: the score that it was
    ordered by; nearest: the cosine of its best sentence."""

    chunk: Chunk
    score: float
    passages: tuple[Passage, ...]
    book: OpenBook
    ordered_by: float = 0.0
    nearest: float = 0.0


def find_chunks(question: str, scope: Scope, services: Services, plan: RetrievalPlan) -> list[FoundChunk]:
    """At most plan.limit chunks of the collection, best first; none below plan.min_score. A re-ranker, where there is one,
    reads the first plan.reranked and orders them. Other words, where there are any, are looked for as the question is.

    One embed call, another for sentences of what was found where their vectors are not kept, and one index call; more where a
    source was replaced meanwhile. Raises NotFound where there is nothing to look in, and every RetryableError of the ports."""

    @cache
    def asked_by(model: str) -> EmbeddedQueries:  # once there is something to look in
        texts = [question, *(services.other_words(question) if services.other_words else ())]
        vectors = services.using(model).embedder.embed_queries(texts)
        return EmbeddedQueries(tuple(Query(text, QueryKind.QUESTION, 0) for text in texts), vectors)

    def look(books: Mapping[str, OpenBook]) -> list[FoundChunk]:
        shelf = Shelf(next(iter(books.values())).key.partition, tuple(books))
        asked = asked_by(shelf.partition.model)
        candidates = best_candidates(asked, shelf, plan, services.index, words=services.words)
        closer, _ = look_closer(asked.queries, candidates, plan, books, services)
        found = choose(asked.queries, closer, plan)
        return with_sentences(question, asked.vectors[0], found, books, services.using(shelf.partition.model))

    return look_in_open_books(look, scope, services)


def with_sentences(
    question: str,
    vector: NDArray[np.float32],
    found: Sequence[Found | Hit],
    books: Mapping[str, OpenBook],
    services: Services,
) -> list[FoundChunk]:
    """What was found with the sentences that say most to the question. vector: (d,), the question's; books: by version;
    services: with the books' model. Raises NotFound, and as the embedder does."""
    opened = [books[one.record.version] for one in found]
    chunks = [services.chunks_of(book.key).chunk(one.record.id) for one, book in zip(found, opened, strict=True)]
    cosines = _cosines(question, vector, list(zip(chunks, opened, strict=True)), services)
    best = [sorted((id for id in chunk.sentences if id in cosines), key=lambda id: -cosines[id]) for chunk in chunks]
    return [
        FoundChunk(
            chunk=chunk,
            score=float(np.clip(one.vector @ vector, -1.0, 1.0)),
            passages=tuple(passage(services.text_of(book.key), id, book) for id in its_best[:SHOWN]),
            book=book,
            ordered_by=one.score,
            nearest=cosines[its_best[0]],
        )
        for one, book, chunk, its_best in zip(found, opened, chunks, best, strict=True)
    ]


def _cosines(
    question: str, vector: Vectors, chunks: Sequence[tuple[Chunk, OpenBook]], services: Services
) -> Mapping[SentenceId, float]:
    """Of their sentences with the question. Where none are kept, the likely ones are embedded, each once."""
    known: dict[SentenceId, float] = {}
    lacking: dict[SentenceId, str] = {}
    for chunk, book in chunks:
        kept = services.sentences_of(book.key).cosines(chunk.sentences, vector)
        known |= kept
        if not kept:
            sentences = services.text_of(book.key).sentences(chunk.sentences)
            lacking |= {sentence.id: sentence.text for sentence in likely(question, sentences, LOOKED_AT)}
    if not lacking:
        return known
    cosines = services.embedder.embed_passages(list(lacking.values())) @ vector
    return known | dict(zip(lacking, cosines.tolist(), strict=True))


def likely(question: str, sentences: Sequence[Sentence], most: int) -> list[Sentence]:
    """At most so many that share most words with the question, in reading order: embedding all would take too long."""
    wanted = set(terms_of(question))
    shared = [len(wanted & set(terms_of(sentence.text))) for sentence in sentences]
    kept = sorted(range(len(sentences)), key=lambda i: -shared[i])[:most]
    return [sentences[i] for i in sorted(kept)]
