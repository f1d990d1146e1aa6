"""Evaluation of retrieval on a school's books: variants of sentences, and essays whose evidence is known (S1-19)."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from chapterverse.core.book import BookId, SentenceId
from chapterverse.core.errors import NotFound
from chapterverse.core.hits import Hit, Query, QueryKind, Scope
from chapterverse.essays.model import Essay, Paragraph
from chapterverse.essays.queries import KeySentenceModel, queries_on
from chapterverse.evaluation.cases import LEVELS, GoldBooks, GoldEssay, GoldParagraph, KnownBooks, Variant, know_books
from chapterverse.evaluation.measures import Figure, auroc_figure, mean_figure, recall_at, reciprocal_ranks, rounded
from chapterverse.library.scope import model_of, open_books
from chapterverse.library.services import CollectionServices
from chapterverse.library.text.sentences import split_sentences
from chapterverse.search.engine import OpenBooks, find
from chapterverse.search.fusion import fuse, rank, support
from chapterverse.search.plan import EmbeddedQueries, RetrievalPlan

MEASURES = ("recall_at_1", "recall_at_3", "recall_at_5", "recall_at_10", "mrr")

NO_THRESHOLD = -2.0  # a score that every candidate has

QUERIES_AT_ONCE = 30  # as a long essay has; so many times plan.candidates_per_query hits are in memory at a time


@dataclass(frozen=True, slots=True)
class LevelFigures:
    """How well one level of variants finds its sentences among those of all books."""

    recall_at_1: Figure
    recall_at_3: Figure
    recall_at_5: Figure
    recall_at_10: Figure
    mrr: Figure


@dataclass(frozen=True, slots=True)
class EssayFigures:
    """Over n paragraphs; a figure is None where none of them has gold, or all have.

    near_gold_at_1: of a paragraph with gold, whether the best sentence found is listed, or next to one listed.
    nothing_auroc: how well a paragraph's support tells those with gold from those without."""

    near_gold_at_1: Figure | None
    nothing_auroc: Figure | None
    n: int


@dataclass(frozen=True, slots=True)
class Evaluation:
    """Figures by level of variants, and of essays, each None without such cases. notes: sentences on cases left out."""

    variants: Mapping[str, LevelFigures] | None
    essays: EssayFigures | None
    notes: tuple[str, ...]

    def summary(self) -> dict[str, Any]:
        """What `evaluate --json` prints: values to four digits, null without a case; n of essays counts paragraphs."""
        found: dict[str, Any] = {}
        if self.variants:
            found["variants"] = {
                level: {measure: rounded(getattr(figures, measure)) for measure in MEASURES}
                for level, figures in self.variants.items()
            }
        if essays := self.essays:
            found["essays"] = {
                "near_gold_at_1": rounded(essays.near_gold_at_1),
                "nothing_auroc": rounded(essays.nothing_auroc),
                "n": essays.n,
            }
        return found


@dataclass(frozen=True, slots=True)
class ParagraphResult:
    """A paragraph as the product answers it: its support (-1 where nothing at all was found), and its best sentence."""

    gold: GoldParagraph
    support: float
    best: SentenceId | None


@dataclass(frozen=True, slots=True)
class OpenLibrary:
    """The books of a school, open for many searches with the product's own plan, and as the cases name them."""

    services: CollectionServices
    plan: RetrievalPlan
    books: KnownBooks
    opened: OpenBooks
    key_sentences: KeySentenceModel | None = None

    def candidates(self, looked_up: EmbeddedQueries, min_score: float | None = None) -> list[list[Hit]]:
        """Of each query its candidates, best first. min_score: instead of the plan's, for what is worth re-ranking."""
        plan = replace(self.plan, min_score=self.plan.min_score if min_score is None else min_score, for_these_books=True)
        return find(lambda _: looked_up, self.opened, plan, self.services, lambda result: result.candidates)

    @property
    def queries_at_once(self) -> int:
        """One with a re-ranker, so that each query has its time to itself."""
        return 1 if self.services.reranker else QUERIES_AT_ONCE


def open_library(scope: Scope, services: CollectionServices, plan: RetrievalPlan, about: BookId | None = None) -> OpenLibrary:
    """about: the only book of the cases, so that no other is read; all are searched. Raises NotFound where there is
    no book to search."""
    books = open_books(scope, services.catalog, services.models)
    meant = {version: book for version, book in books.items() if about in {None, book.key.book}}
    known = know_books(scope, meant, services.catalog, services.bucket)
    return OpenLibrary(services.using(model_of(books)), plan, known, books)


def evaluate(variants: Sequence[Variant], essays: Sequence[GoldEssay], gold: GoldBooks, library: OpenLibrary) -> Evaluation:
    """The figures of the product as it is: its queries, its re-scorers, before the cuts to min_score and top_k.

    Cases on books that are not there are left out, and a note says so. Raises NotFound where that leaves no case, BadRequest
    for evidence whose number gold does not have, and every RetryableError of the ports."""
    known = [variant for variant in variants if library.books.holds(variant.book)]
    judged = [one for essay in essays for one in judge_essay(essay, library) if can_be_judged(one.gold, library.books)]
    if not known and not judged:
        raise NotFound("no_books_of_cases")
    paragraphs = sum(len(essay.paragraphs) for essay in essays)
    notes = (
        *left_out(len(variants) - len(known), "variants"),
        *left_out(paragraphs - len(judged), "paragraphs"),
        *read_otherwise(known, library.books),
    )
    levels = {level: level_figures(ranks_of(known, level, library)) for level in LEVELS} if known else None
    return Evaluation(levels, essay_figures(judged, gold, library.books) if judged else None, notes)


def ranks_of(variants: Sequence[Variant], level: str, library: OpenLibrary) -> list[int | None]:
    """The place of each variant's sentence among its candidates, from 1; None where it is not one of them."""
    found = found_for(variants, level, library)
    return [rank_in(hits, library.books.ids(variant.book, variant.sentence)) for variant, hits in found]


def found_for(variants: Sequence[Variant], level: str, library: OpenLibrary) -> Iterator[tuple[Variant, list[Hit]]]:
    """Each variant and its candidates, best first."""
    for start in range(0, len(variants), library.queries_at_once):
        batch = variants[start : start + library.queries_at_once]
        texts = [getattr(variant, level) for variant in batch]
        queries = tuple(Query(text, QueryKind.KEY_SENTENCE, number) for number, text in enumerate(texts))
        looked_up = EmbeddedQueries(queries, library.services.embedder.embed_queries(texts))
        yield from zip(batch, library.candidates(looked_up, min_score=NO_THRESHOLD), strict=True)


def rank_in(hits: Sequence[Hit], wanted: frozenset[SentenceId]) -> int | None:
    """The place of the first hit that is wanted, from 1."""
    return next((place for place, hit in enumerate(hits, start=1) if hit.record.id in wanted), None)


def level_figures(ranks: Sequence[int | None]) -> LevelFigures:
    """Of at least one case."""
    at_1, at_3, at_5, at_10 = (mean_figure(recall_at(k, ranks)) for k in (1, 3, 5, 10))
    return LevelFigures(at_1, at_3, at_5, at_10, mean_figure(reciprocal_ranks(ranks)))


def judge_essay(gold: GoldEssay, library: OpenLibrary) -> Iterator[ParagraphResult]:
    """Each paragraph, looked up together with the others as a student's essay is."""
    paragraphs = (Paragraph(one.text, tuple(one.text[a:b] for a, b in split_sentences(one.text))) for one in gold.paragraphs)
    essay = Essay(None, tuple(paragraphs))
    looked_up = queries_on(essay, library.plan, library.services.embedder, library.key_sentences)
    hits = library.candidates(looked_up)
    supports = support(looked_up.queries, hits)
    for number, paragraph in enumerate(gold.paragraphs):
        yield ParagraphResult(paragraph, supports.get(number, -1.0), best_of(number, looked_up.queries, hits, library.plan))


def best_of(paragraph: int, queries: Sequence[Query], hits: Sequence[Sequence[Hit]], plan: RetrievalPlan) -> SentenceId | None:
    """The first sentence in the paragraph's own ranking; None where its queries found nothing."""
    own = [(query, its_hits) for query, its_hits in zip(queries, hits, strict=True) if query.paragraph == paragraph]
    kept = [its_hits[: plan.hits_per_query] for _, its_hits in own]
    ranked = rank(fuse([query for query, _ in own], kept, plan.query_weights))
    return ranked[0].record.id if ranked else None


def can_be_judged(paragraph: GoldParagraph, books: KnownBooks) -> bool:
    """Whether its evidence is in the books that are here, or there is none anywhere."""
    return not paragraph.evidence or any(books.holds(evidence.book) for evidence in paragraph.evidence)


def essay_figures(judged: Sequence[ParagraphResult], gold: GoldBooks, books: KnownBooks) -> EssayFigures:
    """Of at least one paragraph."""
    with_gold = [one for one in judged if one.gold.evidence]
    near = np.array([is_near(one, gold, books) for one in with_gold], np.float64)
    bears = np.array([one.support for one in with_gold], np.float64)
    strays = np.array([one.support for one in judged if not one.gold.evidence], np.float64)
    return EssayFigures(
        mean_figure(near) if len(near) else None,
        auroc_figure(bears, strays) if len(bears) and len(strays) else None,
        len(judged),
    )


def is_near(judged: ParagraphResult, gold: GoldBooks, books: KnownBooks) -> bool:
    """Whether the best sentence is listed as evidence, or next to one that is."""
    listed = (evidence for evidence in judged.gold.evidence if books.holds(evidence.book))
    near = {place for evidence in listed for place in books.near(evidence, gold)}
    return judged.best is not None and books.places.get(judged.best) in near


def left_out(number: int, what: str) -> Iterator[str]:
    """A note, if there is anything to say."""
    if number:
        yield f"Left out of the {what}, because the books that they are about are not here: {number}."


def read_otherwise(variants: Sequence[Variant], books: KnownBooks) -> Iterator[str]:
    """A note, if there is anything to say."""
    number = sum(not books.ids(variant.book, variant.sentence) for variant in variants)
    if number:
        yield f"Not in the books as the variants quote them, and so counted as not found: {number}."
