"""How well the search finds a book's sentences by variants of them (S1-20): Recall@K and mean reciprocal rank, by level."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from chapterverse.core.book import SentenceId
from chapterverse.core.hits import Hit, Query, QueryKind, Scope
from chapterverse.evaluation.variants import LEVELS, Variant, stem_of, words_of
from chapterverse.library.artefacts import indexed, load_book
from chapterverse.library.scope import open_books
from chapterverse.library.services import CollectionServices
from chapterverse.search.engine import OpenBooks, find
from chapterverse.search.plan import EmbeddedQueries, RetrievalPlan

KS = (1, 3, 5, 10)
NO_THRESHOLD = -2.0  # a score that every candidate has
QUERIES_AT_ONCE = 30  # like a long essay; limits the hits in memory
RESAMPLES = 2000  # enough for two stable digits of an interval's ends
AT_ONCE = 2**20  # values drawn in one array
LEVEL = 0.95
Values = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Estimate:
    """A measured value. low, high: its 95 % bootstrap interval. n: number of cases."""

    value: float
    low: float
    high: float
    n: int


Metrics = Mapping[str, Estimate]
"""By name of the measure: recall_at_1 … recall_at_10, mrr."""


@dataclass(frozen=True, slots=True)
class OpenLibrary:
    """A school's books, open for many searches with the product's plan. known: words and id of each sentence, by name of the
    book in cases, in reading order."""

    services: CollectionServices
    plan: RetrievalPlan
    opened: OpenBooks
    known: Mapping[str, Sequence[tuple[str, SentenceId]]]

    def ids(self, variant: Variant) -> frozenset[SentenceId]:
        """All sentences of the variant's book with the words of its sentence; empty if the book was read differently."""
        words = words_of(variant.sentence)
        return frozenset(id for other, id in self.known[variant.book] if other == words)

    def candidates(self, embedded: EmbeddedQueries, min_score: float | None = None) -> list[list[Hit]]:
        """The candidates of each query, best first. min_score: replaces the plan's."""
        plan = replace(self.plan, min_score=self.plan.min_score if min_score is None else min_score, for_these_books=True)
        return find(lambda _: embedded, self.opened, plan, self.services, lambda result: result.candidates)


def open_library(scope: Scope, services: CollectionServices, plan: RetrievalPlan) -> OpenLibrary:
    """Open the books in scope. Raises NotFound without books."""
    books = open_books(scope, services.catalog, services.embedder.model)
    names = {book.id: stem_of(book) for book in services.catalog.books(scope.school)}
    known = {
        names[book.key.book]: [(words_of(each.text), each.id) for each in indexed(load_book(services.bucket, book.key))]
        for book in books.values()
    }
    return OpenLibrary(services, plan, books, known)


def evaluate(variants: Sequence[Variant], library: OpenLibrary) -> dict[str, Metrics]:
    """The metrics by level, before candidates are cut to min_score and top_k. variants: at least one. Raises every
    RetryableError of the ports."""
    return {level: metrics_of(ranks_of(variants, level, library)) for level in LEVELS}


def ranks_of(variants: Sequence[Variant], level: str, library: OpenLibrary) -> list[int | None]:
    """The rank of each variant's sentence among its candidates, from 1; None if it is not among them."""
    return [rank_in(hits, library.ids(variant)) for variant, hits in _found(variants, level, library)]


def _found(variants: Sequence[Variant], level: str, library: OpenLibrary) -> Iterator[tuple[Variant, list[Hit]]]:
    for start in range(0, len(variants), QUERIES_AT_ONCE):
        batch = variants[start : start + QUERIES_AT_ONCE]
        texts = [getattr(variant, level) for variant in batch]
        queries = tuple(Query(text, QueryKind.KEY_SENTENCE, number) for number, text in enumerate(texts))
        embedded = EmbeddedQueries(queries, library.services.embedder.embed_queries(texts))
        yield from zip(batch, library.candidates(embedded, min_score=NO_THRESHOLD), strict=True)


def rank_in(hits: Sequence[Hit], sentences: frozenset[SentenceId]) -> int | None:
    """The rank of the first hit on one of the sentences, from 1; None without one."""
    return next((place for place, hit in enumerate(hits, start=1) if hit.record.id in sentences), None)


def metrics_of(ranks: Sequence[int | None]) -> Metrics:
    """ranks: at least one, None if not found."""
    recalls = {f"recall_at_{k}": mean_estimate(recall_at(k, ranks)) for k in KS}
    return recalls | {"mrr": mean_estimate(reciprocal_ranks(ranks))}


def recall_at(k: int, ranks: Sequence[int | None]) -> Values:
    """1 for each case whose sentence is among the first k, else 0. ranks: from 1, None if not found."""
    return np.array([rank is not None and rank <= k for rank in ranks], np.float64)


def reciprocal_ranks(ranks: Sequence[int | None]) -> Values:
    """1/rank of each case, 0 if not found; their mean is MRR (Voorhees 1999, TREC-8 question answering)."""
    return np.array([1 / rank if rank else 0.0 for rank in ranks], np.float64)


def mean_estimate(values: Values, seed: int = 0) -> Estimate:
    """The mean of at least one value, with a percentile bootstrap (Efron & Tibshirani 1993, chapter 13)."""
    random, at_once = np.random.default_rng(seed), max(1, AT_ONCE // len(values))
    rows = (min(at_once, RESAMPLES - done) for done in range(0, RESAMPLES, at_once))
    means = np.concatenate([random.choice(values, (some, len(values))).mean(axis=1) for some in rows])
    low, high = np.quantile(means, [(1 - LEVEL) / 2, (1 + LEVEL) / 2])
    return Estimate(float(np.mean(values)), float(low), float(high), len(values))
