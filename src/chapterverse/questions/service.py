"""Answer a question from a school's documents (S2) or textbooks (S4)."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from chapterverse.core.hits import Passage, Scope
from chapterverse.core.words import distinct_terms, terms_of
from chapterverse.library.services import CollectionServices
from chapterverse.questions import styles
from chapterverse.questions.answers import Answer, Findings, Question, findings_of
from chapterverse.questions.compose import compose_answer
from chapterverse.questions.conversation import Exchange, courtesy_reply, standalone_question, subject_of
from chapterverse.questions.judging import judge_for
from chapterverse.questions.model import ConfidenceLevel
from chapterverse.questions.styles import AnswerSettings, AnswerStyle
from chapterverse.questions.units import READ_CHUNKS, by_units, chance_of, score_units
from chapterverse.search import plan as plans
from chapterverse.search.chunks import FoundChunk, find_chunks
from chapterverse.search.plan import RetrievalPlan
from chapterverse.search.words import holds

MODEL_CHUNKS = 6  # sources that a language model reads: see docs/quality.md
FEW_TERMS = 2  # of a question that only points: "What does it cost?"
MAX_SELECTED = 500  # characters of the selected text in the query of such a question
RELATED = 3  # titles (S4-17)
_POINTING = re.compile(r"\b(?:this|that|these|those|it|they|here)\b", re.IGNORECASE)
_REQUEST = frozenset(  # of a question about whatever is marked: "Explain this in simpler words"
    terms_of(
        "explain mean meaning simple simpler simply easy easier word summarise summarize summary example understand please "
        "help tell give show sentence passage paragraph part text define definition describe rephrase question important detail"
    )
)


@dataclass(frozen=True, slots=True)
class AnswerResult:
    """An answer and the findings that it was made from."""

    answer: Answer
    findings: Findings


def ask_documents(
    question: str,
    scope: Scope,
    services: CollectionServices,
    settings: AnswerSettings,
    *,
    earlier: Sequence[Exchange] = (),
    plan: RetrievalPlan = plans.DOCUMENT_QA,
    style: AnswerStyle = styles.DOCUMENT_QA,
) -> AnswerResult:
    """An answer from the best chunks of the documents in `scope`. earlier: the conversation so far, oldest first.

    Raises NotFound without documents, and every RetryableError of the ports; if the language model fails, the answer is made
    of the documents' own sentences."""
    if courtesy_reply(question):
        return AnswerResult(compose_answer(Question(question, ""), Findings(), style, scope.school, settings), Findings())
    understood = standalone_question(question, earlier, scope.school, services, settings)
    read = replace(plan, limit=max(plan.limit, READ_CHUNKS), hits_per_query=max(plan.hits_per_query, READ_CHUNKS))
    found = find_chunks(understood.query, scope, services, read)
    units = score_units(understood.read_as, found, services)
    settings = settings.for_school(scope.school)
    best = by_units(found, units)[: MODEL_CHUNKS if settings.paid else plan.limit]
    judge = judge_for(scope.school, services, plan, style)
    findings = findings_of(
        best,
        judge.min_score,
        judgement=judge(understood.query, found[: plan.limit], chance_of(units[0]) if units else None),
        units=units,
        at_any_score={unit.chunk for unit in units},
    )
    return AnswerResult(compose_answer(understood, findings, style, scope.school, settings), findings)


@dataclass(frozen=True, slots=True)
class ChatPlan:
    """How textbooks are asked. max_sections: sources of an answer. boost: factor of the scores of sections that contain the
    selected text; it only changes the order. min_score: cosine of a source (S4-8), None for the embedding model's default."""

    plan: RetrievalPlan = plans.TEXTBOOK_CHAT
    max_sections: int = 5
    boost: float = 2.0
    min_score: float | None = None
    style: AnswerStyle = field(default=styles.TEXTBOOK_CHAT)


@dataclass(frozen=True, slots=True)
class ChatQuestion:
    """A student's question. selected: text marked on the page, empty without. understood: the question after a conversation
    (standalone_question), None for a first question."""

    question: str
    selected: str = ""
    understood: Question | None = None

    @property
    def points(self) -> bool:
        """Whether it asks about the selected text without naming its subject: "Why?", "Explain this in simpler words"."""
        own = [term for term in distinct_terms(self.question) if term not in _REQUEST]
        return bool(self.selected) and (not own or (len(own) <= FEW_TERMS and bool(_POINTING.search(self.question))))

    @property
    def query(self) -> str:
        """The search text; it includes the selected text if the question only points at it."""
        if self.points:
            return f"{self.question} {self.selected[:MAX_SELECTED]}"
        return self.understood.query if self.understood else subject_of(self.question)

    @property
    def as_question(self) -> Question:
        """The question for compose_answer."""
        understood = self.understood or Question(self.question, "")
        about = "" if self.points else understood.about
        return replace(understood, query=self.query, selected=self.selected, points=self.points, about=about)


def chat(
    question: ChatQuestion, scope: Scope, services: CollectionServices, chat_plan: ChatPlan, settings: AnswerSettings
) -> AnswerResult:
    """An answer from the textbooks. To get each claim as soon as it is checked, call find_sections and stream_answer.

    Raises NotFound without textbooks, and every RetryableError of the ports."""
    findings = find_sections(question, scope, services, chat_plan)
    return AnswerResult(compose_answer(question.as_question, findings, chat_plan.style, scope.school, settings), findings)


def find_sections(question: ChatQuestion, scope: Scope, services: CollectionServices, chat_plan: ChatPlan) -> Findings:
    """The sections for an answer, with the judgement and related sections. The section that holds the selected text is a
    source whatever its score, and so is one with a unit that likely answers: a long section has a low cosine.

    Nothing is searched for a courtesy. Raises as chat."""
    if courtesy_reply(question.question):
        return Findings()
    found = find_chunks(question.query, scope, services, chat_plan.plan)
    marked = [one for one in found if holds(one.chunk.text, question.selected)]
    if question.selected and not marked:
        by_selection = find_chunks(question.selected[:MAX_SELECTED], scope, services, chat_plan.plan)
        marked = [one for one in by_selection if holds(one.chunk.text, question.selected)][:1]
        found = [*marked, *(one for one in found if one.chunk.id not in {other.chunk.id for other in marked})]
    best = selected_first(found, question.selected, chat_plan.boost)[: chat_plan.max_sections]
    judge = judge_for(scope.school, services, chat_plan.plan, chat_plan.style, chat_plan.min_score)
    units = score_units(question.as_question.read_as, best, services)
    chance = chance_of(units[0]) if units and not question.points else None
    related, judgement = related_sections(found), judge(question.query, found, chance)
    if marked and judgement and judgement.standing and not judgement.standing.answers:
        judgement = replace(judgement, standing=ConfidenceLevel.POSSIBLE)
    if judgement and question.points and best and best[0] in marked:  # it is about the very text that is shown
        judgement = replace(judgement, standing=ConfidenceLevel.CONFIDENT)
    elif judgement and not question.points:
        judgement = judge.sure_of(judgement, units)
    likely = judge.defaults.units.answers if judge.defaults else 1.0
    likely_or_marked = {*(one.chunk.id for one in marked), *(unit.chunk for unit in units if chance_of(unit) >= likely)}
    findings = findings_of(best, judge.min_score, tuple(related), judgement, units=units, at_any_score=likely_or_marked)
    return replace(findings, near=tuple(related.values()))


def selected_first(found: Sequence[FoundChunk], selected: str, boost: float) -> list[FoundChunk]:
    """Move sections that contain the selected text above all others with less than `boost` times their score."""
    holding = [one for one in found if holds(one.chunk.text, selected)]
    order = [(one.score, one) for one in found]
    for one in holding:
        here = order.index((one.score, one))
        boosted = max(one.score, one.score * boost)
        before = next((at for at, (score, _) in enumerate(order[:here]) if score < boosted), here)
        order.insert(before, (boosted, order.pop(here)[1]))
    return [one for _, one in order]


def related_sections(found: Sequence[FoundChunk]) -> dict[str, Passage]:
    """Titles of the closest sections, each once, with the sentence closest to the question: those in which that stands; the
    book's only where it has no others."""
    related: dict[str, Passage] = {}
    for one in sorted(found, key=lambda one: -one.score):
        headings = [*one.chunk.headings, *one.passages[0].sentence.address.section_path]
        title = headings[-1] if headings else one.book.title
        related.setdefault(title, one.passages[0])
    titles = [title for title in related if title and title not in {one.book.title for one in found}] or list(related)
    return {title: related[title] for title in titles[:RELATED]}
