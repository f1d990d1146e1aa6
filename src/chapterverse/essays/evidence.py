"""From an essay to the sentences of the school's books that bear on it, paragraph by paragraph (S1)."""

from collections.abc import Iterator, Sequence

from chapterverse.citations.model import Evidence, number_evidence
from chapterverse.core.hits import Scope
from chapterverse.essays.model import Essay, EssayEvidence, ParagraphEvidence
from chapterverse.essays.queries import KeySentenceModel, queries_on
from chapterverse.essays.text.parse import looked_up
from chapterverse.library.scope import passages_of
from chapterverse.library.services import CollectionServices
from chapterverse.messages import Message, message
from chapterverse.search.engine import SearchResult, find
from chapterverse.search.plan import ESSAY_FEEDBACK, EmbeddedQueries, RetrievalPlan


def find_evidence(
    essay: Essay,
    scope: Scope,
    services: CollectionServices,
    plan: RetrievalPlan = ESSAY_FEEDBACK,
    key_sentences: KeySentenceModel | None = None,
) -> EssayEvidence:
    """The sentences that bear on the essay, at most plan.evidences or as many as it has paragraphs.

    One embed call for an essay of ordinary length, one for each part of a long one while there is time. Raises as find does."""
    bounded, notes = looked_up(essay, plan.sentences)

    def read(result: SearchResult) -> tuple[list[Evidence], SearchResult]:
        found = result.best()
        return number_evidence(found, passages_of(found, result.books, result.services)), result

    fitted = plan.limited_to(plan.evidences or len(essay.paragraphs))

    def embed(services: CollectionServices) -> EmbeddedQueries:
        return queries_on(bounded, plan, services.embedder, key_sentences)

    evidence, result = find(embed, scope, fitted, services, read)
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
