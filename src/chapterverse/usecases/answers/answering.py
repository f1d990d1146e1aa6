"""What answers are written with."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from time import monotonic

from chapterverse.feedback.comments import JudgeAll
from chapterverse.model import Vectors
from chapterverse.ports import Embedder, Redactor
from chapterverse.retrieval.intents import DESCRIBED, Asking, Intent, likeliest
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

    def asking(self, question: str) -> Asking:
        """What kind of question it is. Raises EmbedderUnavailable, ModelUnavailable."""
        [vector] = self.embedder.embed_queries([question])
        return likeliest(vector, self._described)

    @cached_property
    def _described(self) -> Mapping[Intent, Vectors]:
        return {intent: self.embedder.embed_queries(texts) for intent, texts in DESCRIBED.items()}
