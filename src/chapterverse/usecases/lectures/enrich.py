"""A window's text to the query that is looked up (S3, "Query Enrichment")."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from chapterverse.lecture.keywords import Weighed, candidates_of, choose_keywords
from chapterverse.lecture.query import build_queries
from chapterverse.model import EnrichedQuery
from chapterverse.ports import Embedder
from chapterverse.usecases.lectures.headings import Headings
from chapterverse.usecases.lectures.term_vectors import TermVectors

MOST_CONCEPTS = 3
NEAR = 0.5  # cosine of a heading to the keywords' mean from which it is named


Choose = Callable[[Weighed, int, float], list[str]]
"""Keywords among candidates: lecture.keywords.choose_keywords, or KeyBERT itself where that is installed."""


@dataclass(frozen=True)
class Enricher:
    """most: keywords of a window, three to five (S3); diversity: see choose_keywords; tokens: that a query stays below;
    concepts_asked: whether headings near the keywords are looked up with them."""

    choose: Choose = choose_keywords
    most: int = 5
    diversity: float = 0.5
    tokens: int = 200
    concepts_asked: bool = False
    terms: TermVectors = field(default_factory=TermVectors)

    def enrich(self, texts: Sequence[str], headings: Sequence[Headings], embedder: Embedder) -> list[EnrichedQuery]:
        """A query a text; the embedder is called once for all texts, and once for all words that are new.

        headings: of the books beside the lecture, whose vectors
        are this embedder's. Raises as the embedder does."""
        candidates = [candidates_of(text) for text in texts]
        wholes, known = self.terms.embed(texts, (term for each in candidates for term in each), embedder)
        keywords = [
            self._keywords(Weighed(text, each, whole, np.stack([known[term] for term in each]))) if each else []
            for text, each, whole in zip(texts, candidates, wholes, strict=True)
        ]
        concepts = [expand_concepts([known[term] for term in each], headings) for each in keywords]
        asked = [[*words, *more] if self.concepts_asked else words for words, more in zip(keywords, concepts, strict=True)]
        queries = build_queries(texts, asked, embedder.count_tokens, self.tokens)
        told = zip(queries, keywords, concepts, strict=True)
        return [EnrichedQuery(query, tuple(words), tuple(near)) for query, words, near in told]

    def _keywords(self, weighed: Weighed) -> list[str]:
        return self.choose(weighed, self.most, self.diversity)


def expand_concepts(keywords: Sequence[NDArray[np.float32]], headings: Sequence[Headings]) -> list[str]:
    """The headings nearest to the mean of the keywords' vectors, at most MOST_CONCEPTS, none that is not NEAR."""
    titles = [title for each in headings for title in each.titles]
    if not keywords or not titles:
        return []
    mean = np.sum(keywords, axis=0)
    nearness = np.concatenate([each.vectors for each in headings]) @ (mean / np.linalg.norm(mean))
    best = np.argsort(-nearness, kind="stable")
    return list(dict.fromkeys(titles[row] for row in best if nearness[row] >= NEAR))[:MOST_CONCEPTS]
