"""Answer a question from a school's documents (S2) or textbooks (S4)."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import NamedTuple

from chapterverse.core.book import Sentence, SentenceId
from chapterverse.core.hits import Passage, Scope
from chapterverse.library.services import CollectionServices
from chapterverse.messages import message
from chapterverse.questions import styles
from chapterverse.questions.answers import Answer, CitableSource, Findings, Question, Reading, source_of
from chapterverse.questions.compose import compose_answer
from chapterverse.questions.conversation import Exchange, standalone_question, subject_of
from chapterverse.questions.model import Answerability, ConfidenceLevel
from chapterverse.questions.passages import is_in_other_language, is_marked, passage_around, read_passages
from chapterverse.questions.styles import PASSAGES_READ, AnswerSettings, AnswerStyle
from chapterverse.search import plan as plans
from chapterverse.search.chunks import FoundChunk, find_chunks
from chapterverse.search.plan import RetrievalPlan
from chapterverse.search.rerank import logistic
from chapterverse.search.words import holds

SCORED = 3  # chunks whose scores are reported (S2-5)
MAX_SOURCE = 1_500  # characters that a language model reads of a chunk
MAX_OF_ENTRY = 5  # sentences of an FAQ entry
MAX_SELECTED = 500  # characters of the selected text in the query
OTHER_LANGUAGE = message("note_other_language")
RELATED, LONGEST_NUMBER = 3, 4  # titles (S4-17), and characters of one that may be only a number, such as "XIII"


class AnswerResult(NamedTuple):
    """An answer and the findings that it was made from."""

    answer: Answer
    findings: Findings


@dataclass(frozen=True, slots=True)
class Searched:
    """Sources to ask. plan: for units of these services."""

    scope: Scope
    services: CollectionServices
    plan: RetrievalPlan


def ask_documents(
    question: str,
    scope: Scope,
    services: CollectionServices,
    settings: AnswerSettings,
    *,
    earlier: Sequence[Exchange] = (),
    plan: RetrievalPlan = plans.DOCUMENT_QA,
    style: AnswerStyle = styles.DOCUMENT_QA,
    also: Sequence[Searched] = (),
) -> AnswerResult:
    """An answer from the best chunks of the documents in `scope`, and of those in other collections. earlier: the conversation
    so far, oldest first.

    Raises NotFound without documents, and every RetryableError of the ports; if the language model fails, the answer is a
    passage of the documents."""
    understood, findings = Question(question, ""), Findings()
    if not settings.courtesy(question):
        understood = standalone_question(question, earlier, scope.school, services)
        searched = (Searched(scope, services, plan), *also)
        each = [find_chunks(understood.query, one.scope, one.services, one.plan) for one in searched]
        found = sorted((one for its in each for one in its), key=lambda one: -one.ordered_by)[: plan.limit]
        scores = tuple(sorted((one.score for one in found), reverse=True)[:SCORED])
        read = partial(read_found, understood, found, style, services)
        findings = Findings(tuple(sources_of(found)), scores, read=read)
    return AnswerResult(compose_answer(understood, findings, style, scope.school, settings), findings)


def sources_of(found: Sequence[FoundChunk]) -> Iterator[CitableSource]:
    """The chunks as a language model reads them, numbered from 1: whole sentences, lists and rows, none in two of them, a long
    section around its sentences nearest to the question. Raises NotFound if one was replaced meanwhile."""
    taken, number = set[SentenceId](), 0
    for one in found:
        sentences = [each for each in _whole(one) if each.id not in taken]
        if sentences:
            number += 1
            taken.update(each.id for each in sentences)
            yield source_of(one, number, sentences)


def _whole(found: FoundChunk) -> Sequence[Sentence]:
    """The sentences of a chunk with those that its first and its last need, or the part of a long one that is nearest."""
    own = found.sentences
    if found.chunk.question:
        return [one for one in own if one.id in found.nearest[:MAX_OF_ENTRY]]
    if sum(len(one.text) for one in own) > MAX_SOURCE:
        return passage_around(found.best, found.text, limit=MAX_SOURCE)
    every = {one.id: one for one in (*found.unit(own[0]), *own, *found.unit(own[-1]))}
    return list(every.values())


def read_found(
    question: Question,
    found: Sequence[FoundChunk],
    style: AnswerStyle,
    services: CollectionServices,
    *,
    selected: str = "",
) -> Reading:
    """What is shown of the chunks. selected: text that the asker has marked in them; what stands around it is at least a
    possible answer. To a question in another language it is the nearest place at most, and at least. Raises as
    read_passages."""
    best, by_reader = read_passages(question.read_as, found, services, selected=selected)
    if not best:
        return Reading()
    score = logistic(best[0].score) if by_reader else max(one.score for one in found)
    judgement = style.judged(score, PASSAGES_READ if by_reader else None)
    if selected and not judgement.standing.answers:
        judgement = Answerability(judgement.score, ConfidenceLevel.POSSIBLE)
    if not is_in_other_language(question.question, found):
        return Reading(tuple(best), judgement)
    return Reading(tuple(best), Answerability(judgement.score, ConfidenceLevel.NEAR), notes=(OTHER_LANGUAGE,))


@dataclass(frozen=True, slots=True)
class ChatPlan:
    """How textbooks are asked. max_sections: sources of an answer. boost: factor of the scores of sections that contain the
    selected text; it only changes the order."""

    plan: RetrievalPlan = plans.TEXTBOOK_CHAT
    max_sections: int = 5
    boost: float = 2.0
    style: AnswerStyle = field(default=styles.TEXTBOOK_CHAT)


@dataclass(frozen=True, slots=True)
class ChatQuestion:
    """A student's question. selected: text marked on the page, empty without. understood: the question after a conversation
    (standalone_question), None for a first question."""

    question: str
    selected: str = ""
    understood: Question | None = None

    @property
    def query(self) -> str:
        """The search text; it includes the selected text."""
        if self.selected:
            return f"{self.question} {self.selected[:MAX_SELECTED]}"
        return self.understood.query if self.understood else subject_of(self.question)

    @property
    def as_question(self) -> Question:
        """The question for compose_answer."""
        understood = self.understood or Question(self.question, "")
        return replace(understood, query=self.query, selected=self.selected, about="" if self.selected else understood.about)


def chat(
    question: ChatQuestion, scope: Scope, services: CollectionServices, chat_plan: ChatPlan, settings: AnswerSettings
) -> AnswerResult:
    """An answer from the textbooks.

    Raises NotFound without textbooks, and every RetryableError of the ports."""
    findings = Findings() if settings.courtesy(question.question) else find_sections(question, scope, services, chat_plan)
    return AnswerResult(compose_answer(question.as_question, findings, chat_plan.style, scope.school, settings), findings)


def find_sections(question: ChatQuestion, scope: Scope, services: CollectionServices, chat_plan: ChatPlan) -> Findings:
    """The sections for an answer, with related sections. Those that hold the selected text are sources before all others, and
    the only ones that are read for an answer without a language model. Raises as chat."""
    found = find_chunks(question.query, scope, services, chat_plan.plan)
    marked = [one for one in found if holds(one.chunk.text, question.selected)]
    if question.selected and not marked:
        by_selection = find_chunks(question.selected[:MAX_SELECTED], scope, services, chat_plan.plan)
        marked = [one for one in by_selection if holds(one.chunk.text, question.selected)][:1]
        found = [*marked, *(one for one in found if one.chunk.id not in {other.chunk.id for other in marked})]
    best = selected_first(found, question.selected, chat_plan.boost)[: chat_plan.max_sections]
    related = related_sections(found)
    selected = question.selected if any(is_marked(each, question.selected) for one in marked for each in one.sentences) else ""
    read = partial(read_found, question.as_question, marked if selected else best, chat_plan.style, services, selected=selected)
    scores = tuple(sorted((one.score for one in found), reverse=True))
    return Findings(tuple(sources_of(best)), scores, tuple(related), tuple(related.values()), read)


def selected_first(found: Sequence[FoundChunk], selected: str, boost: float) -> list[FoundChunk]:
    """Move sections that contain the selected text above all others with less than `boost` times their score."""
    return sorted(found, key=lambda one: -one.score * (boost if one.score > 0 and holds(one.chunk.text, selected) else 1))


def related_sections(found: Sequence[FoundChunk]) -> dict[str, Passage]:
    """Titles of the closest sections, each once, with the sentence closest to the question: those in which that stands, or what
    they belong to if they have only a number; the book's only where it has no others."""
    related: dict[str, Passage] = {}
    for one in sorted(found, key=lambda one: -one.score):
        headings = [*one.chunk.headings, *one.best.address.section_path]
        title = next((each for each in reversed(headings) if len(each) > LONGEST_NUMBER), one.book.title)
        related.setdefault(title, one.passage(one.best))
    titles = [title for title in related if title and title not in {one.book.title for one in found}] or list(related)
    return {title: related[title] for title in titles[:RELATED]}
