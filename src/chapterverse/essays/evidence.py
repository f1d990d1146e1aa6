"""Find the sentences of the school's books that are useful beside an essay, paragraph by paragraph (S1).

Who chooses them: a language model that reads the candidates, if the school has one; else the trained reader, if it is given
and the essay is English; else similarity."""

from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import zip_longest
from time import monotonic

from chapterverse.citations.model import Evidence, Reading, number_evidence
from chapterverse.citations.verdicts import relation_of
from chapterverse.core.hits import Scope
from chapterverse.core.ports import Pair, Read
from chapterverse.essays.model import Essay, EssayEvidence, ParagraphEvidence
from chapterverse.essays.queries import queries_on
from chapterverse.essays.reading import Candidate, Chosen, EvidenceModel, ReadCandidates, candidates_for, in_turns, queries_for
from chapterverse.essays.text.parse import bounded_essay
from chapterverse.essays.writing.expressions import is_english
from chapterverse.library.scope import look_in_open_books, passages_of
from chapterverse.library.services import CollectionServices
from chapterverse.messages import Message, message
from chapterverse.search.engine import SearchResult, find
from chapterverse.search.plan import ESSAY_FEEDBACK, EmbeddedQueries, RetrievalPlan, for_reading
from chapterverse.search.rerank import RerankReport

USEFUL = 0.4  # chance from which a sentence is shown; chosen on books that training did not see (make eval-reader)
READ_SECONDS = 1.5  # for the candidates of an essay

Searched = tuple[list[Evidence], SearchResult, RerankReport | None]


@dataclass(frozen=True, slots=True)
class EvidenceReader:
    """The trained reader and its name. seconds: for the candidates of an essay."""

    read: Read
    name: str
    seconds: float = READ_SECONDS

    def choose(self, essay: Essay, candidates: Mapping[int, Sequence[Candidate]], limit: int) -> ReadCandidates:
        """The useful candidates by index of the paragraph: at most `limit` in all, the best of every paragraph before a second.
        The first candidates of all paragraphs are read first. Raises ModelUnavailable."""
        rows = zip_longest(*([(at, one) for one in its] for at, its in candidates.items()))
        places = [place for row in rows for place in row if place]
        pairs = [_pair(essay.paragraphs[at].own_text, candidate) for at, candidate in places]
        readings: dict[int, list[tuple[float, Chosen]]] = {at: [] for at in candidates}
        judged = 0
        for (at, (found, passage)), chances in zip(places, self.read(pairs, monotonic() + self.seconds), strict=True):
            judged += chances is not None
            if chances and chances.useful >= USEFUL:
                readings[at].append((chances.useful, (found, passage, Reading(relation_of(chances)))))
        best = {at: [one for _, one in sorted(its, key=lambda one: -one[0])] for at, its in readings.items()}
        return ReadCandidates(in_turns(best, limit), judged, len(pairs), frozenset())


def _pair(text: str, candidate: Candidate) -> Pair:
    _, passage = candidate
    before, after = (one.text if one else "" for one in (passage.previous, passage.next))
    return Pair(text, passage.sentence.text, before, after)


def find_evidence(
    essay: Essay,
    scope: Scope,
    services: CollectionServices,
    plan: RetrievalPlan = ESSAY_FEEDBACK,
    *,
    model: EvidenceModel | None = None,
    reader: EvidenceReader | None = None,
) -> EssayEvidence:
    """The evidence for an essay: at most plan.evidences sentences, or as many as it has paragraphs. model: chooses it; if it
    does not answer, the next one does, and a note says so. reader: chooses it for an English essay.

    An essay of ordinary length takes one embed call; a long one takes several, while there is time. Raises as find does."""
    bounded, notes = bounded_essay(essay, plan.sentences)
    limit = plan.evidences or len(essay.paragraphs)
    if model:
        if chosen := _chosen_by(model, bounded, scope, services, plan.limited_to(limit)):
            read, worth, unread = chosen
            paragraphs = by_paragraph(essay, read, unread)
            notes = (*notes, message("note_not_all_read")) if unread else notes
            return EssayEvidence(essay.title, paragraphs, tuple(read), worth, notes)
        notes = (*notes, message("note_not_read"))

    def embed(services: CollectionServices) -> EmbeddedQueries:
        return queries_on(bounded, plan, services.embedder)

    def by_similarity(result: SearchResult) -> Searched:
        found = result.best()
        return number_evidence(found, passages_of(found, result.books, result.services)), result, result.reranked

    def by_reader(reader: EvidenceReader, result: SearchResult) -> Searched:
        came = reader.choose(bounded, _candidates(range(result.queries.paragraphs), result), limit)
        return _numbered(came), result, RerankReport(reader.name, came.judged, came.worth)

    if reader and is_english(essay):
        evidence, result, report = find(embed, scope, for_reading(plan), services, partial(by_reader, reader))
    else:
        evidence, result, report = find(embed, scope, plan.limited_to(limit), services, by_similarity)
    reached = _reached(essay, result.queries.paragraphs)
    paragraphs = by_paragraph(essay, evidence, range(reached, len(essay.paragraphs)))
    return EssayEvidence(essay.title, paragraphs, tuple(evidence), report, (*notes, *left_out(essay, reached)))


def _chosen_by(
    model: EvidenceModel, essay: Essay, scope: Scope, services: CollectionServices, plan: RetrievalPlan
) -> tuple[list[Evidence], RerankReport, frozenset[int]] | None:
    """The evidence that the model chose, how many candidates it read, and the indices of the paragraphs for which it did not
    answer; None if it did for none."""
    written = model.claims(essay)
    if written is None:
        return None
    claims = written.claims

    def read(result: SearchResult) -> tuple[list[Evidence], RerankReport, frozenset[int]] | None:
        came = model.read(essay, claims, _candidates(sorted(claims), result), plan.limit)
        report = RerankReport(model.name, came.judged, came.worth)
        return (_numbered(came), report, written.unread | came.unread) if came.judged else None

    if not claims:
        return look_in_open_books(lambda _: ([], RerankReport(model.name, 0, 0), written.unread), scope, services)
    return find(lambda services: queries_for(essay, claims, services.embedder), scope, for_reading(plan), services, read)


def _candidates(paragraphs: Sequence[int], result: SearchResult) -> dict[int, list[Candidate]]:
    """The candidates of each of these paragraphs."""
    found = {at: candidates_for(at, result) for at in paragraphs}
    return {at: list(zip(its, passages_of(its, result.books, result.services), strict=True)) for at, its in found.items()}


def _numbered(came: ReadCandidates) -> list[Evidence]:
    shown = came.chosen
    return number_evidence([one for one, _, _ in shown], [one for _, one, _ in shown], [one for _, _, one in shown])


def by_paragraph(essay: Essay, evidence: Sequence[Evidence], left_out: Container[int]) -> tuple[ParagraphEvidence, ...]:
    """Each paragraph of the essay with the numbers of the evidence that its queries found. left_out: indices of those that were
    not searched for."""
    return tuple(
        ParagraphEvidence(paragraph, tuple(one.number for one in evidence if bears_on(one, position)), position in left_out)
        for position, paragraph in enumerate(essay.paragraphs)
    )


def _reached(essay: Essay, searched: int) -> int:
    """How many of the first paragraphs were searched for, or did not need to be because they are copied."""
    while searched < len(essay.paragraphs) and not essay.paragraphs[searched].own:
        searched += 1
    return searched


def left_out(essay: Essay, reached: int) -> Iterator[Message]:
    """A note if there was no time for all paragraphs."""
    if reached < len(essay.paragraphs):
        yield message("note_time_up_search", first=reached + 1)


def bears_on(evidence: Evidence, paragraph: int) -> bool:
    """Whether a query of the paragraph with this index found the evidence."""
    return any(found_by.query.paragraph == paragraph for found_by in evidence.found_by)
