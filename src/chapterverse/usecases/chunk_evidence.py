"""From a question to the chunks of a collection that bear on it, each with the sentences of it that say most to the question:
these are cited and lit, never the chunk."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from chapterverse.evidence.numbering import Passage
from chapterverse.model import Chunk, Found, Query, QueryKind, Scope, Sentence, SentenceId, Vectors
from chapterverse.retrieval.plan import RetrievalPlan
from chapterverse.retrieval.queries import EmbeddedQueries
from chapterverse.retrieval.retrieve import Shelf, retrieve
from chapterverse.retrieval.terms import terms_of
from chapterverse.usecases.services import Services
from chapterverse.usecases.shelf import OpenBook, look_in_open_books, passage

LOOKED_AT = 24  # sentences of a chunk that are compared with the question, at most: those that share most words with it
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
    """At most plan.limit chunks of the collection, best first; none below plan.min_score.

    Two embed calls, one for the question and one for sentences of what was found, and one index call; more where a source was
    replaced meanwhile. Raises NotFound where there is nothing to look in, and every RetryableError of the ports."""

    @cache
    def asked_by(model: str) -> EmbeddedQueries:  # once there is something to look in
        vectors = services.using(model).embedder.embed_queries([question])
        return EmbeddedQueries((Query(question, QueryKind.QUESTION, 0),), vectors)

    def look(books: Mapping[str, OpenBook]) -> list[FoundChunk]:
        shelf = Shelf(next(iter(books.values())).key.partition, tuple(books))
        asked = asked_by(shelf.partition.model)
        found = retrieve(asked, shelf, plan, services.index, words=services.words)
        return _with_sentences(question, asked.vectors[0], found, books, services.using(shelf.partition.model))

    return look_in_open_books(look, scope, services)


def _with_sentences(
    question: str, vector: NDArray[np.float32], found: Sequence[Found], books: Mapping[str, OpenBook], services: Services
) -> list[FoundChunk]:
    chunks = [services.chunks_of(books[one.record.version].key).chunk(one.record.id) for one in found]
    texts = [services.text_of(books[one.record.version].key) for one in found]
    sentences = [
        likely(question, text.sentences(chunk.sentences), LOOKED_AT) for text, chunk in zip(texts, chunks, strict=True)
    ]
    cosines = _cosines(vector, sentences, services)
    best = [sorted(its_own, key=lambda sentence: -cosines[sentence.id]) for its_own in sentences]
    return [
        FoundChunk(
            chunk=chunk,
            score=float(np.clip(one.vector @ vector, -1.0, 1.0)),
            passages=tuple(passage(text, sentence.id, books[one.record.version]) for sentence in its_best[:SHOWN]),
            book=books[one.record.version],
            ordered_by=one.score,
            nearest=cosines[its_best[0].id],
        )
        for one, chunk, text, its_best in zip(found, chunks, texts, best, strict=True)
    ]


def likely(question: str, sentences: Sequence[Sentence], most: int) -> list[Sentence]:
    """At most so many that share most words with the question, in reading order: comparing all meanings would take too long."""
    wanted = set(terms_of(question))
    shared = [len(wanted & set(terms_of(sentence.text))) for sentence in sentences]
    kept = sorted(range(len(sentences)), key=lambda i: -shared[i])[:most]
    return [sentences[i] for i in sorted(kept)]


def _cosines(vector: Vectors, groups: Sequence[Sequence[Sentence]], services: Services) -> Mapping[SentenceId, float]:
    """Of each sentence with the question; it is embedded once, however many chunks have it."""
    texts = {sentence.id: sentence.text for sentences in groups for sentence in sentences}
    cosines = services.embedder.embed_passages(list(texts.values())) @ vector
    return dict(zip(texts, cosines.tolist(), strict=True))
