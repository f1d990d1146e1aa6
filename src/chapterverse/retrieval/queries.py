"""What to look up for an essay: each paragraph, and its key sentences (S1, "Query formulation").

Key sentences are chosen from vectors, so all of an essay's texts are embedded at once and the queries are a choice among them:
one embed call, however long the essay."""

from dataclasses import dataclass

import numpy as np

from chapterverse.essay import Essay, Paragraph
from chapterverse.model import Query, QueryKind, Vectors

LATENESS = 0.05  # cosine that the last sentence of a paragraph loses to the first


@dataclass(frozen=True, slots=True)
class EmbeddedQueries:
    """n queries and their vectors, (n, d) float32, unit norm."""

    queries: tuple[Query, ...]
    vectors: Vectors


def texts_to_embed(essay: Essay) -> list[str]:
    """Every paragraph, then every sentence that may be a key sentence, in the essay's order."""
    paragraphs = [paragraph.text for paragraph in essay.paragraphs]
    return paragraphs + [sentence for paragraph in essay.paragraphs for sentence in candidates(paragraph)]


def candidates(paragraph: Paragraph) -> tuple[str, ...]:
    """The sentences that key sentences are chosen from: none where the only one is the paragraph itself."""
    return paragraph.sentences if len(paragraph.sentences) > 1 else ()


def build_queries(essay: Essay, vectors: Vectors, key_sentences: int) -> EmbeddedQueries:
    """The queries in the essay's order, each paragraph before its key sentences.

    vectors: (n, d), unit norm, of texts_to_embed(essay). key_sentences: at most so many a paragraph."""
    queries: list[Query] = []
    rows: list[int] = []
    first = len(essay.paragraphs)
    for number, paragraph in enumerate(essay.paragraphs):
        last = first + len(candidates(paragraph))
        keys = choose_key_sentences(vectors[number], vectors[first:last], key_sentences)
        queries.append(Query(paragraph.text, QueryKind.PARAGRAPH, number))
        queries.extend(Query(paragraph.sentences[key], QueryKind.KEY_SENTENCE, number) for key in keys)
        rows.extend([number, *(first + key for key in keys)])
        first = last
    return EmbeddedQueries(tuple(queries), vectors[rows])


def choose_key_sentences(paragraph: Vectors, sentences: Vectors, limit: int) -> list[int]:
    """Positions, ascending, of the sentences that say most of what the paragraph says, early ones before late ones.

    paragraph: (d,), sentences: (n, d), unit norm. Nearness to the whole as in centroid summarisation (Radev et al. 2004).
    Figures: docs/retrieval.md."""
    centrality = sentences @ paragraph - LATENESS * np.linspace(0, 1, len(sentences))
    return sorted(int(i) for i in np.argsort(-centrality, kind="stable")[:limit])
