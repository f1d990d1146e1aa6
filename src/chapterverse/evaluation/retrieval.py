"""Evaluation of search on a school's books: variants of sentences, and essays with known evidence (S1-19)."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Self

import numpy as np
from pydantic import BaseModel, ConfigDict, SerializerFunctionWrapHandler, model_serializer

from bookreader.text.sentences import split_sentences
from chapterverse.core.book import BookId, SentenceId
from chapterverse.core.errors import NotFound
from chapterverse.core.hits import Hit, Query, QueryKind, Scope
from chapterverse.essays.model import Essay, Paragraph
from chapterverse.essays.queries import queries_on
from chapterverse.evaluation.cases import LEVELS, GoldBooks, GoldEssay, GoldParagraph, KnownBooks, Variant, know_books
from chapterverse.evaluation.measures import (
    ClaimMetrics,
    Confusion,
    Estimate,
    Rounded,
    auroc_estimate,
    mean_estimate,
    recall_at,
    reciprocal_ranks,
)
from chapterverse.library.scope import model_of, open_books
from chapterverse.library.services import CollectionServices
from chapterverse.search.engine import OpenBooks, find
from chapterverse.search.fusion import fuse, rank, support
from chapterverse.search.plan import EmbeddedQueries, RetrievalPlan

MEASURES = ("recall_at_1", "recall_at_3", "recall_at_5", "recall_at_10", "mrr")
NO_THRESHOLD = -2.0  # a score that every candidate has
QUERIES_AT_ONCE = 30  # like a long essay; limits the hits in memory


@dataclass(frozen=True, slots=True)
class LevelMetrics:
    """How well the variants of one level find their sentences among those of all books."""

    recall_at_1: Estimate
    recall_at_3: Estimate
    recall_at_5: Estimate
    recall_at_10: Estimate
    mrr: Estimate


@dataclass(frozen=True, slots=True)
class EssayMetrics:
    """Metrics over n paragraphs, None without a case. near_gold_at_1: the best sentence found for a paragraph with gold is
    listed, or next to a listed one. nothing_auroc: how well a paragraph's support separates those with gold from those
    without."""

    near_gold_at_1: Estimate | None
    nothing_auroc: Estimate | None
    n: int


@dataclass(frozen=True, slots=True)
class Evaluation:
    """variants: metrics by level; essays: metrics of essays; each None without such cases. notes: sentences on skipped
    cases."""

    variants: Mapping[str, LevelMetrics] | None
    essays: EssayMetrics | None
    notes: tuple[str, ...]


class LevelRecord(BaseModel):
    """LevelMetrics in `evaluate --json`."""

    model_config = ConfigDict(from_attributes=True)

    recall_at_1: Rounded
    recall_at_3: Rounded
    recall_at_5: Rounded
    recall_at_10: Rounded
    mrr: Rounded


class EssaysRecord(BaseModel):
    """EssayMetrics in `evaluate --json`. n: number of paragraphs."""

    model_config = ConfigDict(from_attributes=True)

    near_gold_at_1: Rounded
    nothing_auroc: Rounded
    n: int


class ClaimsRecord(BaseModel):
    """ClaimMetrics in `evaluate --json`. n: number of claims."""

    model_config = ConfigDict(from_attributes=True)

    balanced_accuracy: Rounded
    contradiction_recall: Rounded
    contradiction_precision: Rounded
    confusion: Confusion
    n: int


class EvaluationRecord(BaseModel):
    """The output of `evaluate --json`, without what was not evaluated. variants: by level."""

    variants: dict[str, LevelRecord] | None = None
    essays: EssaysRecord | None = None
    claims: ClaimsRecord | None = None

    @model_serializer(mode="wrap")
    def _evaluated(self, dump: SerializerFunctionWrapHandler) -> dict[str, Any]:
        return {name: metrics for name, metrics in dump(self).items() if metrics is not None}

    @classmethod
    def of(cls, evaluation: Evaluation | None, claims: ClaimMetrics | None = None) -> Self:
        """The record of an evaluation of the search, of claims, or of both."""
        levels = (evaluation and evaluation.variants) or {}
        essays = evaluation.essays if evaluation else None
        return cls(
            variants={level: LevelRecord.model_validate(metrics) for level, metrics in levels.items()} or None,
            essays=essays and EssaysRecord.model_validate(essays),
            claims=claims and ClaimsRecord.model_validate(claims),
        )


@dataclass(frozen=True, slots=True)
class ParagraphResult:
    """A searched paragraph. support: -1 if nothing was found. best: the best sentence, None without one."""

    gold: GoldParagraph
    support: float
    best: SentenceId | None


@dataclass(frozen=True, slots=True)
class OpenLibrary:
    """A school's books, open for many searches with the product's plan. books: as cases name them."""

    services: CollectionServices
    plan: RetrievalPlan
    books: KnownBooks
    opened: OpenBooks

    def candidates(self, embedded: EmbeddedQueries, min_score: float | None = None) -> list[list[Hit]]:
        """The candidates of each query, best first. min_score: replaces the plan's, for re-ranking."""
        plan = replace(self.plan, min_score=self.plan.min_score if min_score is None else min_score, for_these_books=True)
        return find(lambda _: embedded, self.opened, plan, self.services, lambda result: result.candidates)


def open_library(scope: Scope, services: CollectionServices, plan: RetrievalPlan, about: BookId | None = None) -> OpenLibrary:
    """Open the books in scope; all are searched. about: the only book of the cases, so that others are not read. Raises
    NotFound without books."""
    books = open_books(scope, services.catalog, services.models)
    meant = {version: book for version, book in books.items() if about in {None, book.key.book}}
    known = know_books(scope, meant, services.catalog, services.bucket)
    return OpenLibrary(services.using(model_of(books)), plan, known, books)


def evaluate(variants: Sequence[Variant], essays: Sequence[GoldEssay], gold: GoldBooks, library: OpenLibrary) -> Evaluation:
    """Measure the product's queries and re-scorers, before candidates are cut to min_score and top_k.

    Cases on missing books are skipped, with a note. Raises NotFound if no case is left, BadRequest for evidence whose number
    gold does not have, and every RetryableError of the ports."""
    known = [variant for variant in variants if library.books.holds(variant.book)]
    judged = [one for essay in essays for one in judge_essay(essay, library) if can_be_judged(one.gold, library.books)]
    if not known and not judged:
        raise NotFound("no_books_of_cases")
    paragraphs = sum(len(essay.paragraphs) for essay in essays)
    notes = (
        *left_out(len(variants) - len(known), "variants"),
        *left_out(paragraphs - len(judged), "paragraphs"),
        *read_differently(known, library.books),
    )
    levels = {level: level_metrics(ranks_of(known, level, library)) for level in LEVELS} if known else None
    return Evaluation(levels, essay_metrics(judged, gold, library.books) if judged else None, notes)


def ranks_of(variants: Sequence[Variant], level: str, library: OpenLibrary) -> list[int | None]:
    """The rank of each variant's sentence among its candidates, from 1; None if it is not among them."""
    found = found_for(variants, level, library)
    return [rank_in(hits, library.books.ids(variant.book, variant.sentence)) for variant, hits in found]


def found_for(variants: Sequence[Variant], level: str, library: OpenLibrary) -> Iterator[tuple[Variant, list[Hit]]]:
    """Each variant and its candidates, best first."""
    for start in range(0, len(variants), QUERIES_AT_ONCE):
        batch = variants[start : start + QUERIES_AT_ONCE]
        texts = [getattr(variant, level) for variant in batch]
        queries = tuple(Query(text, QueryKind.KEY_SENTENCE, number) for number, text in enumerate(texts))
        embedded = EmbeddedQueries(queries, library.services.embedder.embed_queries(texts))
        yield from zip(batch, library.candidates(embedded, min_score=NO_THRESHOLD), strict=True)


def rank_in(hits: Sequence[Hit], sentences: frozenset[SentenceId]) -> int | None:
    """The rank of the first hit on one of the sentences, from 1; None without one."""
    return next((place for place, hit in enumerate(hits, start=1) if hit.record.id in sentences), None)


def level_metrics(ranks: Sequence[int | None]) -> LevelMetrics:
    """ranks: at least one, None if not found."""
    at_1, at_3, at_5, at_10 = (mean_estimate(recall_at(k, ranks)) for k in (1, 3, 5, 10))
    return LevelMetrics(at_1, at_3, at_5, at_10, mean_estimate(reciprocal_ranks(ranks)))


def judge_essay(gold: GoldEssay, library: OpenLibrary) -> Iterator[ParagraphResult]:
    """The result of each paragraph; the essay is searched as a whole, like a student's."""
    paragraphs = (Paragraph(one.text, tuple(one.text[a:b] for a, b in split_sentences(one.text))) for one in gold.paragraphs)
    essay = Essay(None, tuple(paragraphs))
    embedded = queries_on(essay, library.plan, library.services.embedder)
    hits = library.candidates(embedded)
    supports = support(embedded.queries, hits)
    for number, paragraph in enumerate(gold.paragraphs):
        yield ParagraphResult(paragraph, supports.get(number, -1.0), best_of(number, embedded.queries, hits, library.plan))


def best_of(paragraph: int, queries: Sequence[Query], hits: Sequence[Sequence[Hit]], plan: RetrievalPlan) -> SentenceId | None:
    """The first sentence in the paragraph's own ranking; None if its queries found nothing."""
    own = [(query, own_hits) for query, own_hits in zip(queries, hits, strict=True) if query.paragraph == paragraph]
    best_hits = [own_hits[: plan.hits_per_query] for _, own_hits in own]
    ranked = rank(fuse([query for query, _ in own], best_hits, plan.query_weights))
    return ranked[0].record.id if ranked else None


def can_be_judged(paragraph: GoldParagraph, books: KnownBooks) -> bool:
    """Whether at least one book of its evidence is present, or it has no evidence."""
    return not paragraph.evidence or any(books.holds(evidence.book) for evidence in paragraph.evidence)


def essay_metrics(judged: Sequence[ParagraphResult], gold: GoldBooks, books: KnownBooks) -> EssayMetrics:
    """results: at least one."""
    with_gold = [one for one in judged if one.gold.evidence]
    near = np.array([is_near(one, gold, books) for one in with_gold], np.float64)
    answerable = np.array([one.support for one in with_gold], np.float64)
    unanswerable = np.array([one.support for one in judged if not one.gold.evidence], np.float64)
    return EssayMetrics(
        mean_estimate(near) if len(near) else None,
        auroc_estimate(answerable, unanswerable) if len(answerable) and len(unanswerable) else None,
        len(judged),
    )


def is_near(judged: ParagraphResult, gold: GoldBooks, books: KnownBooks) -> bool:
    """Whether the best sentence is listed as evidence, or next to one that is."""
    listed = (evidence for evidence in judged.gold.evidence if books.holds(evidence.book))
    near = {place for evidence in listed for place in books.near(evidence, gold)}
    return judged.best is not None and books.places.get(judged.best) in near


def left_out(number: int, what: str) -> Iterator[str]:
    """A note, if cases were skipped."""
    if number:
        yield f"Skipped {what}, because their books are missing: {number}."


def read_differently(variants: Sequence[Variant], books: KnownBooks) -> Iterator[str]:
    """A note, if sentences were not found in the text of their books."""
    number = sum(not books.ids(variant.book, variant.sentence) for variant in variants)
    if number:
        yield f"Counted as not found, because the books do not contain these sentences: {number}."
