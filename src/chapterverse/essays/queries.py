"""The queries for an essay: each paragraph and its key sentences (S1, "Query formulation").

Key sentences are the sentences nearest to their paragraph by vectors, which the search needs anyway (S1-12,
S1-13). An essay of ordinary length takes one embed call. Figures: docs/quality.md."""

from collections.abc import Iterator
from dataclasses import replace
from time import monotonic

import numpy as np
from numpy.typing import NDArray

from chapterverse.core.hits import Query, QueryKind, Vectors
from chapterverse.core.ports import Embedder
from chapterverse.core.turns import pausing
from chapterverse.essays.model import Essay, Paragraph
from chapterverse.search.plan import EmbeddedQueries, RetrievalPlan

LATENESS = 0.05  # cosine that the last sentence of a paragraph loses to the first

Scores = NDArray[np.float64]
"""One a sentence of a paragraph, higher is better."""


def centrality(paragraph: Vectors, sentences: Vectors) -> Scores:
    """The similarity of each sentence to the paragraph, slightly lower for later sentences (centroid summarisation, Radev et
    al. 2004).

    paragraph: (d,), sentences: (n, d), unit norm; returns (n,)."""
    nearness = sentences @ paragraph - LATENESS * np.linspace(0, 1, len(sentences))
    return np.asarray(nearness, np.float64)


def best_of(scores: Scores, limit: int) -> list[int]:
    """Indices of the `limit` best scores, ascending; the earlier of equal ones wins."""
    return sorted(int(place) for place in np.argsort(-scores, kind="stable")[:limit])


MAX_TEXTS = 64  # of one embed call: more than most essays have, few enough to check the deadline between two calls


def texts_to_embed(essay: Essay) -> list[str]:
    """The texts of all paragraphs, then all candidates for key sentences, in the essay's order."""
    paragraphs = [paragraph.own_text or paragraph.text for paragraph in essay.paragraphs]
    return paragraphs + [sentence for paragraph in essay.paragraphs for sentence in candidates(paragraph)]


def parts_of(essay: Essay) -> Iterator[Essay]:
    """The essay in parts of about MAX_TEXTS texts to embed, at least one paragraph each; most essays are one part."""
    some: list[Paragraph] = []
    texts = 0
    for paragraph in essay.paragraphs:
        more = 1 + len(candidates(paragraph))
        if some and texts + more > MAX_TEXTS:
            yield replace(essay, paragraphs=tuple(some))
            some, texts = [], 0
        some.append(paragraph)
        texts += more
    yield replace(essay, paragraphs=tuple(some))


def candidates(paragraph: Paragraph) -> tuple[str, ...]:
    """The student's sentences that key sentences are chosen from: none where the only one is the paragraph itself."""
    return paragraph.own if len(paragraph.own) > 1 else ()


def build_queries(essay: Essay, vectors: Vectors, key_sentences: int) -> EmbeddedQueries:
    """The queries in the essay's order, each paragraph before its key sentences; none for a paragraph that is all copied.

    vectors: (n, d), unit norm, of texts_to_embed(essay). key_sentences: at most so many a paragraph."""
    queries: list[Query] = []
    rows: list[int] = []
    first = len(essay.paragraphs)
    for number, paragraph in enumerate(essay.paragraphs):
        last = first + len(candidates(paragraph))
        if not paragraph.own:
            continue
        keys = best_of(centrality(vectors[number], vectors[first:last]), key_sentences)
        queries.append(Query(paragraph.own_text, QueryKind.PARAGRAPH, number))
        queries.extend(Query(paragraph.own[key], QueryKind.KEY_SENTENCE, number) for key in keys)
        rows.extend([number, *(first + key for key in keys)])
        first = last
    return EmbeddedQueries(tuple(queries), vectors[rows])


def queries_on(essay: Essay, plan: RetrievalPlan, embedder: Embedder) -> EmbeddedQueries:
    """The queries of as many paragraphs as plan.evidence_seconds and plan.queries allow, all of them for an essay of ordinary
    length.

    Raises EmbedderUnavailable, ModelUnavailable."""
    within = replace(essay, paragraphs=essay.paragraphs[: plan.queries])
    reached, vectors = embedded_in_time(within, embedder, monotonic() + plan.evidence_seconds)
    return build_queries(reached, vectors, min(plan.key_sentences, plan.queries // len(reached.paragraphs) - 1))


def embedded_in_time(essay: Essay, embedder: Embedder, deadline: float) -> tuple[Essay, Vectors]:
    """The part of the essay that was embedded before the deadline, and the vectors of its texts. The first part is always
    embedded; a part is skipped if the last part's duration suggests it would be late."""
    parts: list[Essay] = []
    wholes: list[Vectors] = []
    sentences: list[Vectors] = []
    pace = 0.0  # seconds of a part; the first one's may be those of loading the model
    for part in pausing(parts_of(essay)):
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
