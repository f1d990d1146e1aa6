"""What writes feedback: language model, judge, grammar checker, and the time they have."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from time import monotonic

from chapterverse.citations.model import Cited, Judge, JudgeAll, Verdict
from chapterverse.citations.verdicts import judge
from chapterverse.core.paid_model import PaidModel
from chapterverse.essays.model import Dimension, Style


def each(judge: Judge) -> JudgeAll:
    """Many judged one by one, by what judges one."""

    def judge_each(cited: Sequence[Cited]) -> list[Verdict]:
        return [judge(claim, evidence) for claim, evidence in cited]

    return judge_each


BY_WORDS = each(judge)


@dataclass(frozen=True, slots=True)
class Mistake:
    """paragraph: from 0; start, end: characters of its text; instead: what to write there, None where that is not known."""

    paragraph: int
    start: int
    end: int
    text: str
    instead: str | None
    dimension: Dimension


Proofreader = Callable[[Sequence[str], float], list[Mistake]]

"""The mistakes in some paragraphs, within so many seconds. Raises ProofreaderUnavailable."""


@dataclass(frozen=True)
class Writing:
    """paid is None where rules write alone, proofreader where there is no grammar checker. seconds: for the whole answer (S1,
    "Latency"), model_seconds: of them for the language model, proof_seconds for the grammar checker, at the same time. clock:
    that of time.monotonic()."""

    style: Style = field(default_factory=Style)
    paid: PaidModel | None = None
    judge: JudgeAll = BY_WORDS
    seconds: float = 5.0
    model_seconds: float = 2.0
    proofreader: Proofreader | None = None
    proof_seconds: float = 2.0
    clock: Callable[[], float] = monotonic
