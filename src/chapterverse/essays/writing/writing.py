"""What feedback is written with, and what a language model may cost."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, date, datetime
from math import ceil
from time import monotonic

from chapterverse.citations.model import Cited, Judge, JudgeAll, Verdict
from chapterverse.citations.verdicts import judge
from chapterverse.core.errors import BadRequest, CeilingReached, LanguageModelUnavailable, ModelUnavailable
from chapterverse.core.language import Answer, Piece, Prompt, Schema, Usage
from chapterverse.core.ports import LanguageModel, Ledger
from chapterverse.essays.model import Dimension, Style

CHARACTERS_A_TOKEN = 3  # English has about four: so a prompt is rather thought too dear

FREE = (LanguageModelUnavailable, ModelUnavailable, BadRequest)  # nothing was written, so nothing is owed


def utc_today() -> date:
    """The day that ceilings are for."""
    return datetime.now(UTC).date()


@dataclass(frozen=True, slots=True)
class Price:
    """Of a million tokens read, and of a million written; so tokens times price are millionths of the currency."""

    prompt: float = 0.0
    answer: float = 0.0

    def micros(self, usage: Usage) -> int:
        """Millionths of the currency, rounded up."""
        return ceil(usage.prompt_tokens * self.prompt + usage.answer_tokens * self.answer)


@dataclass(frozen=True)
class PaidModel:
    """A language model, and what a school may spend on it in a day. ceiling: in millionths of the price's currency."""

    model: LanguageModel
    ledger: Ledger
    price: Price = field(default_factory=Price)
    ceiling: int = 0
    today: Callable[[], date] = utc_today

    def answer(self, school: str, prompt: Prompt, schema: Schema, deadline: float) -> Answer:
        """What a call may cost at most is reserved before it; what it did cost takes that place after it. What an answer that
        cannot be used has cost nobody tells, so the reservation stays. Raises CeilingReached, and as the ports do."""
        with self._reserved(school, prompt) as settle:
            answer = self.model.generate(prompt, schema, deadline)
            settle(answer.usage)
        return answer

    def pieces(self, school: str, prompt: Prompt, schema: Schema, deadline: float) -> Iterator[Piece]:
        """The same as it is written."""
        with self._reserved(school, prompt) as settle:
            for piece in self.model.stream(prompt, deadline, schema):
                settle(piece.usage or Usage())
                yield piece

    @contextmanager
    def _reserved(self, school: str, prompt: Prompt) -> Iterator[Callable[[Usage], None]]:
        """Gives what tells the cost."""
        day, most = self.today(), self.price.micros(most_for(prompt))
        if not self.ledger.reserve(school, day, most, self.ceiling):
            raise CeilingReached("llm_ceiling_reached")

        def settle(usage: Usage) -> None:
            if usage != Usage():  # a server that does not count
                self.ledger.settle(school, day, self.price.micros(usage) - most)

        try:
            yield settle
        except FREE:
            self.ledger.settle(school, day, -most)
            raise


def most_for(prompt: Prompt) -> Usage:
    """Tokens that one call takes at most."""
    characters = len(prompt.instructions) + len(prompt.material)
    return Usage(characters // CHARACTERS_A_TOKEN, prompt.most_tokens)


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
