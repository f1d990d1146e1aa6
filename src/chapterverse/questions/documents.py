"""S2: a question on a school's documents, and an answer that says how sure it is."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from chapterverse.core.hits import Scope
from chapterverse.library.services import Services
from chapterverse.questions import styles
from chapterverse.questions.answers import Answer, Findings, findings_of
from chapterverse.questions.compose import compose_answer
from chapterverse.questions.conversation import Earlier, following
from chapterverse.questions.drafts import Answering
from chapterverse.questions.json import answer_json
from chapterverse.questions.judging import judge_for
from chapterverse.questions.styles import AnswerStyle
from chapterverse.search.chunks import find_chunks
from chapterverse.search.plan import DOCUMENT_QA, RetrievalPlan, inverse_distance


@dataclass(frozen=True, slots=True)
class Answered:
    """findings: what the answer was made from."""

    answer: Answer
    findings: Findings


def ask_documents(
    question: str,
    scope: Scope,
    services: Services,
    answering: Answering,
    *,
    earlier: Sequence[Earlier] = (),
    plan: RetrievalPlan = DOCUMENT_QA,
    style: AnswerStyle = styles.DOCUMENT_QA,
) -> Answered:
    """An answer from the best three chunks of the documents, or of those that scope names. How sure it is goes by the seed's
    bands, or by what the school has accepted (`chapterverse calibrate`). earlier: questions before this one, oldest first.

    Raises NotFound where there is no document to look in, and every RetryableError of the ports; a language model that fails
    costs only its words."""
    asked = following(question, earlier, scope.school, services, answering)
    found = find_chunks(asked.query, scope, services, plan)
    judge = judge_for(scope.school, services, plan, style, least_of(style))
    findings = findings_of(found, judge.least, judgement=judge(asked.query, found))
    answer = compose_answer(asked, findings, style, scope.school, answering)
    return Answered(answer, findings)


def answered_json(answered: Answered) -> dict[str, Any]:
    """The answer as JSON, with the scores in both readings."""
    scores = [{"cosine": score, "inverse_distance": inverse_distance(score)} for score in answered.findings.scores]
    return {**answer_json(answered.answer), "scores": scores}


def least_of(style: AnswerStyle) -> float:
    """The cosine from which a chunk may bear an answer: where the least sure band begins that gives one."""
    return min((band.least for band in style.bands if band.answers), default=-1.0)
