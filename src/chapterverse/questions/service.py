"""Answer a question from a school's documents (S2) or textbooks (S4)."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from chapterverse.core.hits import Passage, Scope
from chapterverse.core.words import distinct_terms
from chapterverse.library.services import CollectionServices
from chapterverse.questions import styles
from chapterverse.questions.answers import Answer, Findings, Question, findings_of
from chapterverse.questions.compose import compose_answer
from chapterverse.questions.conversation import Exchange, following
from chapterverse.questions.judging import judge_for
from chapterverse.questions.styles import AnswerSettings, AnswerStyle
from chapterverse.search import plan as plans
from chapterverse.search.chunks import FoundChunk, find_chunks
from chapterverse.search.plan import RetrievalPlan
from chapterverse.search.words import holds


@dataclass(frozen=True, slots=True)
class AnswerResult:
    """findings: what the answer was made from."""

    answer: Answer
    findings: Findings


def ask_documents(
    question: str,
    scope: Scope,
    services: CollectionServices,
    answering: AnswerSettings,
    *,
    earlier: Sequence[Exchange] = (),
    plan: RetrievalPlan = plans.DOCUMENT_QA,
    style: AnswerStyle = styles.DOCUMENT_QA,
) -> AnswerResult:
    """An answer from the best three chunks of the documents, or of those that scope names. How sure it is goes by the seed's
    bands, or by what the school has accepted (`chapterverse calibrate`). earlier: questions before this one, oldest first.

    Raises NotFound where there is no document to look in, and every RetryableError of the ports; a language model that fails
    costs only its words."""
    asked = following(question, earlier, scope.school, services, answering)
    found = find_chunks(asked.query, scope, services, plan)
    judge = judge_for(scope.school, services, plan, style, least_of(style))
    findings = findings_of(found, judge.least, judgement=judge(asked.query, found))
    answer = compose_answer(asked, findings, style, scope.school, answering)
    return AnswerResult(answer, findings)


def least_of(style: AnswerStyle) -> float:
    """The cosine from which a chunk may bear an answer: where the least sure band begins that gives one."""
    return min((band.least for band in style.bands if band.answers), default=-1.0)


POINTING = re.compile(r"\b(?:this|that|these|those|it|they|here)\b", re.IGNORECASE)

FEW_TERMS = 2  # of a question that only points: "Explain this", "What does it mean?"

LOOKED_FOR = 500  # characters of the selected text that such a question is understood by

RELATED = 3  # titles (S4-17)


@dataclass(frozen=True, slots=True)
class ChatPlan:
    """plan: what is fetched. kept: sections in the end; boost: of the score of those that hold the selected text, which orders
    and decides nothing; least: raw cosine of a section that is answered from
    (S4-8), None for the usual one of the embedding model."""

    plan: RetrievalPlan = plans.TEXTBOOK_CHAT
    kept: int = 5
    boost: float = 2.0
    least: float | None = None
    style: AnswerStyle = field(default=styles.TEXTBOOK_CHAT)


@dataclass(frozen=True, slots=True)
class ChatQuestion:
    """What a student asks; selected: what they have marked on the page, empty for nothing; after: how the question is
    understood after those before it (questions/conversation.py), None where it is the first."""

    question: str
    selected: str = ""
    after: Question | None = None

    @property
    def query(self) -> str:
        """What is looked for: the question, and where it only points at the selected text, that, too."""
        points = POINTING.search(self.question) and len(distinct_terms(self.question)) <= FEW_TERMS
        if points and self.selected:
            return f"{self.question} {self.selected[:LOOKED_FOR]}"
        return self.after.query if self.after else self.question

    @property
    def to_be_answered(self) -> Question:
        """As whoever answers is told it."""
        return replace(self.after or Question(self.question, ""), query=self.query, selected=self.selected)


def chat(
    asked: ChatQuestion, scope: Scope, services: CollectionServices, chat_plan: ChatPlan, answering: AnswerSettings
) -> tuple[Answer, Findings]:
    """The answer and what it was made from. services: of the textbooks. Whoever wants each claim as soon as it is checked calls
    find_sections and stream_answer.

    Raises NotFound where there is no textbook, and every RetryableError of the ports."""
    findings = find_sections(asked, scope, services, chat_plan)
    return compose_answer(asked.to_be_answered, findings, chat_plan.style, scope.school, answering), findings


def find_sections(asked: ChatQuestion, scope: Scope, services: CollectionServices, chat_plan: ChatPlan) -> Findings:
    """What the question is answered from, and how sure that is: the cosines of all that is kept, near enough or not, or what
    the school has accepted for its own textbooks (`chapterverse calibrate`).

    Raises as chat."""
    found = find_chunks(asked.query, scope, services, chat_plan.plan)
    kept = selected_first(found, asked.selected, chat_plan.boost)[: chat_plan.kept]
    judge = judge_for(scope.school, services, chat_plan.plan, chat_plan.style, chat_plan.least)
    near = related_sections(found)
    findings = findings_of(kept, judge.least, tuple(near), judge(asked.query, found))
    return replace(findings, near=tuple(near.values()))


def selected_first(found: Sequence[FoundChunk], selected: str, boost: float) -> list[FoundChunk]:
    """Sections that hold the selected text move up before all whose score is less than `boost` times theirs; others stay in
    their order."""
    held = [one for one in found if holds(one.chunk.text, selected)]
    order = [(one.score, one) for one in found]
    for one in held:
        here = order.index((one.score, one))
        counted = max(one.score, one.score * boost)
        before = next((at for at, (score, _) in enumerate(order[:here]) if score < counted), here)
        order.insert(before, (counted, order.pop(here)[1]))
    return [one for _, one in order]


def related_sections(found: Sequence[FoundChunk]) -> dict[str, Passage]:
    """Titles of the sections nearest to the question, each once, with the sentence of it that says most to the question."""
    near: dict[str, Passage] = {}
    for one in sorted(found, key=lambda one: -one.score):
        title = one.chunk.headings[-1] if one.chunk.headings else one.book.title
        if title and len(near) < RELATED:
            near.setdefault(title, one.passages[0])
    return near
