"""The queries for an essay: each paragraph and its key sentences (S1, "Query formulation").

Key sentences are the sentences nearest to their paragraph by vectors, which the search needs anyway (S1-12,
S1-13), in one embed call. Figures: docs/quality.md."""

import numpy as np
from numpy.typing import NDArray

from chapterverse.core.hits import Query, QueryKind, Vectors
from chapterverse.core.ports import Embedder
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


def texts_to_embed(essay: Essay) -> list[str]:
    """The texts of all paragraphs, then all candidates for key sentences, in the essay's order."""
    paragraphs = [paragraph.own_text or paragraph.text for paragraph in essay.paragraphs]
    return paragraphs + [sentence for paragraph in essay.paragraphs for sentence in candidates(paragraph)]


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
    """The queries of the essay. Raises EmbedderUnavailable, ModelUnavailable."""
    key_sentences = min(plan.key_sentences, plan.queries // len(essay.paragraphs) - 1)
    return build_queries(essay, embedder.embed_queries(texts_to_embed(essay)), max(key_sentences, 0))
