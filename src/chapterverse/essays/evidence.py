"""Find the sentences of the school's books that are useful beside an essay, paragraph by paragraph (S1).

Who chooses them: a language model that reads the candidates, if the school has one; else the usefulness model, if the essay is
English and the books are embedded with the model it was fitted to; else similarity."""

from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from time import monotonic

import numpy as np

from chapterverse.citations.model import Evidence, Reading, Relation, claim_pair, number_evidence
from chapterverse.citations.verdicts import objection
from chapterverse.core.hits import Passage, QueryKind, Scope
from chapterverse.core.ports import Pair
from chapterverse.core.turns import let_pass
from chapterverse.essays.model import Essay, EssayEvidence, ParagraphEvidence
from chapterverse.essays.queries import queries_on
from chapterverse.essays.quoted import claim_of, is_in, own_words, quoted_evidence
from chapterverse.essays.reading import Candidate, EvidenceModel, ReadCandidates, candidates_for, in_turns, queries_for
from chapterverse.essays.text.parse import bounded_essay
from chapterverse.essays.usefulness import CandidateSignals, UsefulnessModel, words_in
from chapterverse.essays.writing.expressions import is_english
from chapterverse.library.contexts import BookContext
from chapterverse.library.scope import look_in_open_books, model_of, passages_of
from chapterverse.library.services import CollectionServices
from chapterverse.messages import Message, message
from chapterverse.search.engine import SearchResult, find
from chapterverse.search.fusion import keep_diverse
from chapterverse.search.plan import ESSAY_FEEDBACK, EmbeddedQueries, RetrievalPlan, for_reading
from chapterverse.search.rerank import RerankReport
from chapterverse.search.rescore import recent_context

Searched = tuple[list[Evidence], SearchResult]
READ = 4  # candidates of a paragraph that the trained reader may reject, the likeliest


def find_evidence(
    essay: Essay,
    scope: Scope,
    services: CollectionServices,
    plan: RetrievalPlan = ESSAY_FEEDBACK,
    *,
    model: EvidenceModel | None = None,
    usefulness: UsefulnessModel | None = None,
) -> EssayEvidence:
    """The evidence for an essay: what it quotes, and for its own words at most plan.evidences sentences, or as many as it has
    paragraphs. model: chooses these; if it does not answer, the next one does, and a note says so. usefulness: chooses them for
    an English essay.

    An essay of ordinary length takes one embed call; a long one takes several, while there is time. Raises as find does."""
    let_pass()
    quoted = quoted_evidence(essay, scope, services)
    bounded, notes = bounded_essay(own_words(essay, quoted), plan.sentences)
    if not any(paragraph.own for paragraph in bounded.paragraphs):
        return EssayEvidence(essay.title, by_paragraph(essay, quoted, ()), tuple(quoted), None, notes)
    limit = plan.evidences or len(essay.paragraphs)
    if model:
        if chosen := _chosen_by(model, bounded, scope, services, plan.limited_to(limit)):
            read, worth, unread = _with_quoted(quoted, chosen[0]), *chosen[1:]
            paragraphs = by_paragraph(essay, read, unread)
            notes = (*notes, message("note_not_all_read")) if unread else notes
            return EssayEvidence(essay.title, paragraphs, tuple(read), worth, notes)
        notes = (*notes, message("note_not_read"))

    def embed(services: CollectionServices) -> EmbeddedQueries:
        return queries_on(bounded, plan, services.embedder)

    def by_usefulness(fitted: UsefulnessModel, result: SearchResult) -> Searched | None:
        return (_useful(fitted, result, limit), result) if model_of(result.books) == fitted.model else None

    def by_similarity(result: SearchResult) -> Searched:
        found = result.best()
        return number_evidence(found, passages_of(found, result.books, result.services)), result

    searched: Searched | None = None
    if usefulness and is_english(essay):
        searched = find(embed, scope, for_reading(plan), services, partial(by_usefulness, usefulness))
    evidence, result = searched or find(embed, scope, plan.limited_to(limit), services, by_similarity)
    evidence, reached = _with_quoted(quoted, evidence), _reached(bounded, result.queries.paragraphs)
    paragraphs = by_paragraph(essay, evidence, range(reached, len(essay.paragraphs)))
    return EssayEvidence(essay.title, paragraphs, tuple(evidence), result.reranked, (*notes, *left_out(essay, reached)))


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
        return (_numbered(came, essay), report, written.unread | came.unread) if came.judged else None

    if not claims:
        return look_in_open_books(lambda _: ([], RerankReport(model.name, 0, 0), written.unread), scope, services)
    return find(lambda services: queries_for(essay, claims, services.embedder), scope, for_reading(plan), services, read)


def _useful(fitted: UsefulnessModel, result: SearchResult, limit: int) -> list[Evidence]:
    """The candidates that are likely useful: at most MAX_CHOSEN a paragraph and `limit` in all, no two that say nearly the
    same."""
    texts = {query.paragraph: query.text for query in result.queries.queries if query.kind is QueryKind.PARAGRAPH}
    contexts = {version: recent_context(book.key, result.services) for version, book in result.books.items()}

    def ranked(at: int, its: Sequence[Candidate]) -> list[Candidate]:
        """The first READ candidates of the paragraph with this index whose chance reaches the threshold, likeliest first."""
        if not its:
            return []
        queries = result.queries.vectors[[query.paragraph == at for query in result.queries.queries]]
        chances = fitted.chances(queries, _as_candidates(its, contexts))
        order = np.argsort(-chances, kind="stable")[:READ]
        return [its[place] for place in order if chances[place] >= fitted.threshold]

    likely = {at: ranked(at, its) for at, its in _candidates(sorted(texts), result).items()}
    in_turn = in_turns(_not_rejected(fitted, likely, texts, result.plan.evidence_seconds), limit)
    passages = {found.record.id: passage for found, passage in in_turn}
    chosen = keep_diverse([found for found, _ in in_turn], result.plan.max_similarity)
    useful = Reading(Relation.BACKGROUND)
    return number_evidence(chosen, [passages[one.record.id] for one in chosen], [useful] * len(chosen))


def _not_rejected(
    fitted: UsefulnessModel, likely: Mapping[int, Sequence[Candidate]], texts: Mapping[int, str], seconds: float
) -> dict[int, list[Candidate]]:
    """Without the candidates that the trained reader finds useless beside their paragraph. The first of every paragraph is read
    before the second of any; what is not read within `seconds` stays."""
    if not fitted.read:
        return {at: list(its) for at, its in likely.items()}
    let_pass()
    places = [(at, place) for place in range(READ) for at, its in likely.items() if place < len(its)]
    found = fitted.read([_pair(texts[at], likely[at][place][1]) for at, place in places], monotonic() + seconds)
    rejected = {where for where, its in zip(places, found, strict=True) if its and its.useful < fitted.agreed}
    return {at: [one for place, one in enumerate(its) if (at, place) not in rejected] for at, its in likely.items()}


def _pair(text: str, passage: Passage) -> Pair:
    around = (each.text if each else "" for each in (passage.previous, passage.next))
    return Pair(text, passage.sentence.text, *around)


def _as_candidates(its: Sequence[Candidate], contexts: Mapping[str, BookContext]) -> CandidateSignals:
    """The candidates as the usefulness model sees them. contexts: of each version of a book."""
    of_each = [(contexts[found.record.version], found.record.id) for found, _ in its]
    rows = [(context, context.rows[id]) for context, id in of_each]
    return CandidateSignals(
        vectors=np.stack([found.vector for found, _ in its]),
        around=np.stack([context.directions[row] for context, row in rows]).astype(np.float32),
        hubness=np.array([context.hubness[row] for context, row in rows], np.float32),
        words=words_in([passage.sentence.text for _, passage in its]),
    )


def _candidates(paragraphs: Sequence[int], result: SearchResult) -> dict[int, list[Candidate]]:
    """The candidates of each of these paragraphs."""
    found = {at: candidates_for(at, result) for at in paragraphs}
    return {at: list(zip(its, passages_of(its, result.books, result.services), strict=True)) for at, its in found.items()}


def _numbered(came: ReadCandidates, essay: Essay) -> list[Evidence]:
    shown = came.chosen
    read = number_evidence([one for one, _, _ in shown], [one for _, one, _ in shown], [one for _, _, one in shown])
    return [with_veto(one, essay) for one in read]


def _with_quoted(quoted: Sequence[Evidence], found: Sequence[Evidence]) -> list[Evidence]:
    """The quoted sentences, then the others, numbered."""
    known = {one.passage.sentence.id for one in quoted}
    every = [*quoted, *(one for one in found if one.passage.sentence.id not in known)]
    return [replace(one, number=number) for number, one in enumerate(every, start=1)]


def with_veto(evidence: Evidence, essay: Essay) -> Evidence:
    """The evidence; what a model takes for support and the checks on words and numbers do not is something to read."""
    paragraph = evidence.found_by[0].query.paragraph
    supports = evidence.reading is not None and evidence.reading.relation is Relation.SUPPORTS
    if supports and objection(claim_pair(claim_of(essay, paragraph, evidence, ()), evidence)):
        return replace(evidence, reading=Reading(Relation.BACKGROUND))
    return evidence


def by_paragraph(essay: Essay, evidence: Sequence[Evidence], left_out: Container[int]) -> tuple[ParagraphEvidence, ...]:
    """Each paragraph of the essay with the numbers of the evidence that its queries found. left_out: indices of those that were
    not searched for."""
    return tuple(
        ParagraphEvidence(paragraph, tuple(one.number for one in evidence if is_in(one, position)), position in left_out)
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
