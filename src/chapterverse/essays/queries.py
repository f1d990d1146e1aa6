"""Which sentences say what a paragraph says: a score for each, from vectors that are there anyway.

Figures: docs/quality.md.

What to look up for an essay: each paragraph, and its key sentences (S1-12, S1-13).

All of an essay's texts are embedded and the queries are a choice among them: one embed call for an essay of ordinary length,
one for each part of a long one.

What of an essay is looked up: its paragraphs and their key sentences."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from time import monotonic

import numpy as np
from numpy.typing import NDArray

from chapterverse.core.hits import Query, QueryKind, Vectors
from chapterverse.core.ports import Embedder
from chapterverse.essays.model import Essay, Paragraph
from chapterverse.library.services import CollectionServices
from chapterverse.search.plan import EmbeddedQueries, RetrievalPlan

LATENESS = 0.05  # cosine that the last sentence of a paragraph loses to the first

Scores = NDArray[np.float64]

"""One a sentence of a paragraph, higher is better."""


def centrality(paragraph: Vectors, sentences: Vectors) -> Scores:
    """Nearness to the whole, early sentences before late ones, as in centroid summarisation (Radev et al. 2004).

    paragraph: (d,), sentences: (n, d), unit norm."""
    nearness = sentences @ paragraph - LATENESS * np.linspace(0, 1, len(sentences))
    return np.asarray(nearness, np.float64)


def best_of(scores: Scores, limit: int) -> list[int]:
    """Places, ascending, of so many sentences; the earlier of two that are equal."""
    return sorted(int(place) for place in np.argsort(-scores, kind="stable")[:limit])


AT_ONCE = 128  # texts: more than most essays have, and few enough that a deadline is seen between two parts

NONE_CHOSEN: Mapping[int, Sequence[int]] = {}


def texts_to_embed(essay: Essay) -> list[str]:
    """Every paragraph, then every sentence that may be a key sentence, in the essay's order."""
    paragraphs = [paragraph.text for paragraph in essay.paragraphs]
    return paragraphs + [sentence for paragraph in essay.paragraphs for sentence in candidates(paragraph)]


def parts_of(essay: Essay) -> Iterator[Essay]:
    """The essay in parts of about AT_ONCE texts to embed, of one paragraph at least; most essays are one part."""
    some: list[Paragraph] = []
    texts = 0
    for paragraph in essay.paragraphs:
        more = 1 + len(candidates(paragraph))
        if some and texts + more > AT_ONCE:
            yield replace(essay, paragraphs=tuple(some))
            some, texts = [], 0
        some.append(paragraph)
        texts += more
    yield replace(essay, paragraphs=tuple(some))


def candidates(paragraph: Paragraph) -> tuple[str, ...]:
    """The sentences that key sentences are chosen from: none where the only one is the paragraph itself."""
    return paragraph.sentences if len(paragraph.sentences) > 1 else ()


def build_queries(
    essay: Essay, vectors: Vectors, key_sentences: int, chosen: Mapping[int, Sequence[int]] = NONE_CHOSEN
) -> EmbeddedQueries:
    """The queries in the essay's order, each paragraph before its key sentences.

    vectors: (n, d), unit norm, of texts_to_embed(essay). key_sentences: at most so many a paragraph. chosen: by number of
    the paragraph, indices of its key sentences, ascending; of a paragraph without an entry those nearest to the whole of it
    are taken."""
    queries: list[Query] = []
    rows: list[int] = []
    first = len(essay.paragraphs)
    for number, paragraph in enumerate(essay.paragraphs):
        last = first + len(candidates(paragraph))
        keys = chosen.get(number) or best_of(centrality(vectors[number], vectors[first:last]), key_sentences)
        queries.append(Query(paragraph.text, QueryKind.PARAGRAPH, number))
        queries.extend(Query(paragraph.sentences[key], QueryKind.KEY_SENTENCE, number) for key in keys)
        rows.extend([number, *(first + key for key in keys)])
        first = last
    return EmbeddedQueries(tuple(queries), vectors[rows])


def queries_on(essay: Essay, plan: RetrievalPlan, services: CollectionServices) -> EmbeddedQueries:
    """On the first paragraphs, as many as there is time for; on all of an essay of ordinary length, in one embed call. The
    language model chooses key sentences where there is one and it answers in plan.key_sentence_seconds, else the vectors.

    Raises EmbedderUnavailable, ModelUnavailable."""
    reached, vectors = embedded_in_time(essay, services.embedder, monotonic() + plan.evidence_seconds)
    model, deadline = services.key_sentence_model, monotonic() + plan.key_sentence_seconds
    chosen = model.choose(reached.paragraphs, plan.key_sentences, deadline) if model else {}
    return build_queries(reached, vectors, plan.key_sentences, chosen)


def embedded_in_time(essay: Essay, embedder: Embedder, deadline: float) -> tuple[Essay, Vectors]:
    """The essay as far as it is embedded before the deadline, its first part in any case, and the vectors of its texts. What
    will not be through in time, by the last part's pace, is not begun."""
    parts: list[Essay] = []
    wholes: list[Vectors] = []
    sentences: list[Vectors] = []
    pace = 0.0  # seconds of a part; the first one's may be those of loading the model
    for part in parts_of(essay):
        began = monotonic()
        if parts and began + pace >= deadline:
            break
        vectors = embedder.embed_queries(texts_to_embed(part))
        pace = monotonic() - began if parts else 0.0
        parts.append(part)
        wholes.append(vectors[: len(part.paragraphs)])
        sentences.append(vectors[len(part.paragraphs) :])
    reached = tuple(paragraph for part in parts for paragraph in part.paragraphs)
    return replace(essay, paragraphs=reached), np.concatenate([*wholes, *sentences])
