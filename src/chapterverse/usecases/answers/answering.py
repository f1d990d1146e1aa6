"""What answers are written with."""

from collections.abc import Callable
from dataclasses import dataclass
from time import monotonic

from chapterverse.feedback.comments import JudgeAll
from chapterverse.ports import Embedder, Redactor
from chapterverse.usecases.writing import BY_WORDS, PaidModel


@dataclass(frozen=True)
class Answering:
    """paid: None where sources speak for themselves; seconds: that a language model has for an answer. redactor: of what a user
    has said, before a language model is told it. rewrite: whether a language model makes a follow-up question stand alone, or
    rules do. clock: that of time.monotonic()."""

    embedder: Embedder
    paid: PaidModel | None = None
    judge: JudgeAll = BY_WORDS
    redactor: Redactor | None = None
    rewrite: bool = False
    seconds: float = 5.0
    clock: Callable[[], float] = monotonic
