"""From an essay to the sentences of the school's books that bear on it, paragraph by paragraph (S1)."""

from collections.abc import Iterator, Mapping, Sequence
from functools import cache

from chapterverse.citations.model import Evidence, number_evidence
from chapterverse.core.hits import Partition, Scope
from chapterverse.essays.model import Essay, EssayEvidence, ParagraphEvidence
from chapterverse.essays.queries import KeySentenceModel, queries_on
from chapterverse.essays.text.parse import looked_up
from chapterverse.library.scope import OpenBook, look_in_open_books, model_of, passages_of
from chapterverse.library.services import Services
from chapterverse.messages import Message, message
from chapterverse.search.engine import Shelf, best_candidates, choose
from chapterverse.search.plan import ESSAY_FEEDBACK, EmbeddedQueries, RetrievalPlan
from chapterverse.search.rerank import CloserLook, look_closer
from chapterverse.search.rescore import rescorer


def find_evidence(
    essay: Essay,
    scope: Scope,
    services: Services,
    plan: RetrievalPlan = ESSAY_FEEDBACK,
    key_sentences: KeySentenceModel | None = None,
) -> EssayEvidence:
    """The sentences that bear on the essay, at most plan.evidences or as many as it has paragraphs.

    One embed call for an essay of ordinary length, one for each part of a long one until time is up; one index call, and a
    second one if a book is replaced meanwhile. Raises NotFound without a book to search, and every RetryableError of the
    ports."""
    bounded, notes = looked_up(essay, plan.sentences)

    @cache
    def queries_by(model: str) -> EmbeddedQueries:  # asked for once there is something to look in
        return queries_on(bounded, plan, services.using(model).embedder, key_sentences)

    def look(books: Mapping[str, OpenBook]) -> tuple[list[Evidence], CloserLook | None, int]:
        shelf = Shelf(Partition(scope.school, plan.granularity, model_of(books)), tuple(books))
        queries = queries_by(shelf.partition.model)
        rescore = rescorer(plan, [book.key for book in books.values()], services)
        fitted = plan.limited_to(plan.evidences or len(essay.paragraphs)).for_shelf(
            sum(book.sentences for book in books.values())
        )
        candidates = best_candidates(queries, shelf, fitted, services.index, rescore=rescore)
        candidates, reranked = look_closer(queries.queries, candidates, fitted, books, services)
        found = choose(queries.queries, candidates, fitted)
        return number_evidence(found, passages_of(found, books, services)), reranked, queries.paragraphs

    evidence, reranked, reached = look_in_open_books(look, scope, services)
    paragraphs = by_paragraph(essay, evidence, reached)
    return EssayEvidence(essay.title, paragraphs, tuple(evidence), reranked, (*notes, *left_out(essay, reached)))


def by_paragraph(essay: Essay, evidence: Sequence[Evidence], reached: int) -> tuple[ParagraphEvidence, ...]:
    """The essay's paragraphs, each with the evidence that one of its queries found; from number `reached` on, counted from 0,
    none was looked up."""
    return tuple(
        ParagraphEvidence(paragraph, tuple(one.number for one in evidence if bears_on(one, position)), position >= reached)
        for position, paragraph in enumerate(essay.paragraphs)
    )


def left_out(essay: Essay, reached: int) -> Iterator[Message]:
    """A note, if there was no time for all paragraphs."""
    if reached < len(essay.paragraphs):
        yield message("note_time_up_search", first=reached + 1)


def bears_on(evidence: Evidence, paragraph: int) -> bool:
    """Whether a query of that paragraph, counted from 0, found it."""
    return any(found_by.query.paragraph == paragraph for found_by in evidence.found_by)
