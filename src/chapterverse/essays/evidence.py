"""Find the sentences of the school's books that bear on an essay, paragraph by paragraph (S1): by a language model that reads
the candidates, or by similarity."""

from collections.abc import Container, Iterator, Sequence

from chapterverse.citations.model import Evidence, number_evidence
from chapterverse.core.hits import Scope
from chapterverse.essays.model import Essay, EssayEvidence, ParagraphEvidence
from chapterverse.essays.queries import KeySentenceModel, queries_on
from chapterverse.essays.reading import EvidenceModel, candidates_for, queries_for
from chapterverse.essays.text.parse import bounded_essay
from chapterverse.library.scope import look_in_open_books, passages_of
from chapterverse.library.services import CollectionServices
from chapterverse.messages import Message, message
from chapterverse.search.engine import SearchResult, find
from chapterverse.search.plan import ESSAY_FEEDBACK, ESSAY_READING, EmbeddedQueries, RetrievalPlan
from chapterverse.search.rerank import RerankReport


def find_evidence(
    essay: Essay,
    scope: Scope,
    services: CollectionServices,
    plan: RetrievalPlan = ESSAY_FEEDBACK,
    *,
    key_sentences: KeySentenceModel | None = None,
    reader: EvidenceModel | None = None,
) -> EssayEvidence:
    """The evidence for an essay: at most plan.evidences sentences, or as many as it has paragraphs. reader: chooses it; if it
    does not answer, similarity does, and a note says so.

    An essay of ordinary length takes one embed call; a long one takes several, while there is time. Raises as find does."""
    bounded, notes = bounded_essay(essay, plan.sentences)
    if reader:
        if chosen := _chosen_by(reader, bounded, scope, services, plan.evidences or len(essay.paragraphs)):
            evidence, report, unread = chosen
            paragraphs = by_paragraph(essay, evidence, unread)
            notes = (*notes, message("note_not_all_read")) if unread else notes
            return EssayEvidence(essay.title, paragraphs, tuple(evidence), report, notes)
        notes = (*notes, message("note_not_read"))

    def read(result: SearchResult) -> tuple[list[Evidence], SearchResult]:
        found = result.best()
        return number_evidence(found, passages_of(found, result.books, result.services)), result

    fitted = plan.limited_to(plan.evidences or len(essay.paragraphs))

    def embed(services: CollectionServices) -> EmbeddedQueries:
        return queries_on(bounded, plan, services.embedder, key_sentences)

    evidence, result = find(embed, scope, fitted, services, read)
    reached, reranked = result.queries.paragraphs, result.reranked
    paragraphs = by_paragraph(essay, evidence, range(reached, len(essay.paragraphs)))
    return EssayEvidence(essay.title, paragraphs, tuple(evidence), reranked, (*notes, *left_out(essay, reached)))


def _chosen_by(
    reader: EvidenceModel, essay: Essay, scope: Scope, services: CollectionServices, limit: int
) -> tuple[list[Evidence], RerankReport, frozenset[int]] | None:
    """The evidence that the model chose, how many candidates it read, and the indices of the paragraphs for which it did not
    answer; None if it did for none."""
    written = reader.claims(essay)
    if written is None:
        return None
    claims = written.claims

    def read(result: SearchResult) -> tuple[list[Evidence], RerankReport, frozenset[int]] | None:
        found = {at: candidates_for(at, result) for at in sorted(claims)}
        passages = {at: passages_of(its, result.books, result.services) for at, its in found.items()}
        candidates = {at: list(zip(found[at], passages[at], strict=True)) for at in found}
        came = reader.read(essay, claims, candidates, limit)
        shown = [one for one, _, _ in came.chosen]
        numbered = number_evidence(shown, [one for _, one, _ in came.chosen], [one for _, _, one in came.chosen])
        report = RerankReport(reader.name, came.judged, came.worth)
        return (numbered, report, written.unread | came.unread) if came.judged else None

    if not claims:
        return look_in_open_books(lambda _: ([], RerankReport(reader.name, 0, 0), written.unread), scope, services)
    return find(lambda services: queries_for(essay, claims, services.embedder), scope, ESSAY_READING, services, read)


def by_paragraph(essay: Essay, evidence: Sequence[Evidence], left_out: Container[int]) -> tuple[ParagraphEvidence, ...]:
    """Each paragraph of the essay with the numbers of the evidence that its queries found. left_out: indices of those that were
    not searched for."""
    return tuple(
        ParagraphEvidence(paragraph, tuple(one.number for one in evidence if bears_on(one, position)), position in left_out)
        for position, paragraph in enumerate(essay.paragraphs)
    )


def left_out(essay: Essay, reached: int) -> Iterator[Message]:
    """A note if there was no time for all paragraphs."""
    if reached < len(essay.paragraphs):
        yield message("note_time_up_search", first=reached + 1)


def bears_on(evidence: Evidence, paragraph: int) -> bool:
    """Whether a query of the paragraph with this index found the evidence."""
    return any(found_by.query.paragraph == paragraph for found_by in evidence.found_by)
