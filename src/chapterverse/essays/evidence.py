"""S1: from an essay to the sentences of the school's books that bear on it, paragraph by paragraph."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from chapterverse.citations.model import Evidence, number_evidence
from chapterverse.core.hits import Scope
from chapterverse.essays.model import Essay, Paragraph
from chapterverse.essays.queries import queries_on
from chapterverse.essays.text.parse import looked_up
from chapterverse.library.scope import passages_of
from chapterverse.library.services import CollectionServices
from chapterverse.messages import Message, message
from chapterverse.search.engine import SearchResult, find
from chapterverse.search.plan import ESSAY_FEEDBACK, RetrievalPlan
from chapterverse.search.rerank import RerankReport


@dataclass(frozen=True, slots=True)
class ParagraphEvidence:
    """A paragraph of the essay and the numbers of the evidence that bears on it; none is a result, too. left_out: there was no
    time to look it up; hidden: a teacher has hidden some of it."""

    paragraph: Paragraph
    numbers: tuple[int, ...]
    left_out: bool = False
    hidden: bool = False

    @property
    def message(self) -> Message | None:
        """What a reader is told where there is no evidence."""
        if self.numbers or self.hidden:
            return None
        return Message("paragraph_not_searched" if self.left_out else "paragraph_nothing_found")


@dataclass(frozen=True, slots=True)
class EssayEvidence:
    """What the books say on an essay: by paragraph, and all of it once, best first; numbers count from 1.

    reranked: what a re-ranker did for it, None where there is none. notes: what of the essay was not looked up, in whole
    sentences; none for an essay of ordinary length."""

    title: str | None
    paragraphs: tuple[ParagraphEvidence, ...]
    evidence: tuple[Evidence, ...]
    reranked: RerankReport | None = None
    notes: tuple[Message, ...] = ()


def find_evidence(
    essay: Essay, scope: Scope, services: CollectionServices, plan: RetrievalPlan = ESSAY_FEEDBACK
) -> EssayEvidence:
    """As many sentences as the essay has paragraphs, or the plan says, at most, each with its address, its neighbours and the
    queries that found it.

    One embed call for an essay of ordinary length, one for each part of a long one while there is time. Raises as find does."""
    bounded, notes = looked_up(essay, plan.sentences)

    def read(result: SearchResult) -> tuple[list[Evidence], SearchResult]:
        found = result.best()
        return number_evidence(found, passages_of(found, result.books, result.services)), result

    fitted = plan.limited_to(plan.evidences or len(essay.paragraphs))
    evidence, result = find(lambda services: queries_on(bounded, plan, services), scope, fitted, services, read)
    reached, reranked = result.queries.paragraphs, result.reranked
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
