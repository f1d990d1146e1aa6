"""What reviews are written with: language model, judge, grammar checker, and their time limits."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from time import monotonic

from chapterverse.citations.model import Cited, Judge, JudgeAll, Verdict
from chapterverse.citations.verdicts import judge
from chapterverse.core.paid_model import PaidModel
from chapterverse.essays import FEEDBACK_SECONDS
from chapterverse.essays.model import Dimension, Style


def each(judge: Judge) -> JudgeAll:
    """A judge of many citations that asks `judge` about one after the other."""

    def judge_each(cited: Sequence[Cited]) -> list[Verdict]:
        return [judge(claim, evidence) for claim, evidence in cited]

    return judge_each


BY_WORDS = each(judge)


@dataclass(frozen=True, slots=True)
class Mistake:
    """A mistake that a grammar checker found. paragraph: its index; start, end: characters of its text; instead: a correction,
    None if unknown."""

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
    """What reviews are written with, and for how long.

    paid: the language model, None if only rules write. proofreader: the grammar checker, None without one. seconds: for the
    whole feedback (S1, "Latency"); model_seconds and proof_seconds: of these, for the language model and the grammar checker,
    which work in parallel. clock: as time.monotonic."""

    style: Style = field(default_factory=Style)
    paid: PaidModel | None = None
    judge: JudgeAll = BY_WORDS
    seconds: float = FEEDBACK_SECONDS
    model_seconds: float = 2.0
    proofreader: Proofreader | None = None
    proof_seconds: float = 2.0
    clock: Callable[[], float] = monotonic
