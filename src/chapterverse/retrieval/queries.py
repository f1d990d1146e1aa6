"""What to look up for an essay: each paragraph, and its key sentences (S1, "Query formulation").

All of an essay's texts are embedded at once and the queries are a choice among them: one embed call, however long the essay."""

from collections.abc import Sequence
from dataclasses import dataclass

from chapterverse.essay import Essay, Paragraph
from chapterverse.model import Query, QueryKind, Vectors
from chapterverse.retrieval.key_sentences import Scores, best_of, centrality


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


def build_queries(
    essay: Essay, vectors: Vectors, key_sentences: int, scores: Sequence[Scores | None] | None = None
) -> EmbeddedQueries:
    """The queries in the essay's order, each paragraph before its key sentences.

    vectors: (n, d), unit norm, of texts_to_embed(essay). key_sentences: at most so many a paragraph. scores: by paragraph, of
    its sentences; where there are none, those nearest to the whole paragraph are taken."""
    given = scores or [None] * len(essay.paragraphs)
    queries: list[Query] = []
    rows: list[int] = []
    first = len(essay.paragraphs)
    for number, paragraph in enumerate(essay.paragraphs):
        last = first + len(candidates(paragraph))
        by_model = given[number]
        keys = best_of(centrality(vectors[number], vectors[first:last]) if by_model is None else by_model, key_sentences)
        queries.append(Query(paragraph.text, QueryKind.PARAGRAPH, number))
        queries.extend(Query(paragraph.sentences[key], QueryKind.KEY_SENTENCE, number) for key in keys)
        rows.extend([number, *(first + key for key in keys)])
        first = last
    return EmbeddedQueries(tuple(queries), vectors[rows])
