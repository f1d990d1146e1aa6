"""Access to a paid language model: what a call costs, and what a school may spend in a day."""

import logging
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime
from functools import partial
from math import ceil
from typing import TypeVar

from chapterverse.core import errors
from chapterverse.core.ports import AnswerPiece, LanguageModel, Ledger, ModelAnswer, ModelFacts, Prompt, Schema, Usage

CHARACTERS_A_TOKEN = 3  # English has about four, so the estimate is on the high side
MAX_CHARACTERS_A_TOKEN = 7
MICROS = 1_000_000  # in a unit of the currency
ESSAY = Usage(12_000, 1_500)  # of an essay of 400 words, second readings included
LEAST_BILLIONS = 3.5  # of parameters; a smaller model's comments made feedback worse than none (docs/language-models.md)
CHECK = "check-"  # so begin the names of prompts of a second reading
FREE = (errors.LanguageModelUnavailable, errors.ModelUnavailable, errors.BadRequest)  # raised by calls that cost nothing
FAILURES = (errors.LanguageModelUnavailable, errors.BadAnswer, errors.ModelRefused, errors.CeilingReached)


Item = TypeVar("Item")
log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Price:
    """Prices of a million tokens read and a million written; tokens times price are millionths of the currency."""

    prompt: float = 0.0
    answer: float = 0.0

    def micros(self, usage: Usage) -> int:
        """Millionths of the currency, rounded up."""
        return ceil(usage.prompt_tokens * self.prompt + usage.answer_tokens * self.answer)


@dataclass(frozen=True)
class PaidModel:
    """A language model with a ceiling on what each school spends in a day. ceiling: millionths of the price's currency. name:
    of the model, for reports. facts: what its server says about it, asked at first use. charged: ids of its assignment and
    of its course, whose limits hold, too; checker: answers prompts of a second reading in its place."""

    model: LanguageModel
    ledger: Ledger
    price: Price = field(default_factory=Price)
    ceiling: int = 0
    today: Callable[[], date] = lambda: datetime.now(UTC).date()
    name: str = ""
    facts: Callable[[], ModelFacts] = ModelFacts
    charged: tuple[str, ...] = ()
    checker: LanguageModel | None = None

    @property
    def writes(self) -> bool:
        """Whether the model is large enough to write comments and answers; a smaller one only chooses and checks."""
        billions = self.facts().billions
        return billions is None or billions >= LEAST_BILLIONS

    @property
    def context_tokens(self) -> int | None:
        """Tokens of a prompt and its answer together; None if the server does not say."""
        return self.facts().context_tokens

    def room(self, prompt: Prompt) -> int | None:
        """Tokens left beside the prompt and its longest answer, estimated; negative if they do not fit, None if unknown."""
        used = max_usage(prompt)
        return None if self.context_tokens is None else self.context_tokens - used.prompt_tokens - used.answer_tokens

    def fitted(self, make: Callable[[Sequence[Item]], Prompt], items: Sequence[Item]) -> tuple[Prompt, Sequence[Item]]:
        """The prompt that `make` returns for as many of the items, best first, as fit the context; and these items."""
        for count in range(len(items), -1, -1):
            prompt = make(items[:count])
            if (room := self.room(prompt)) is None or room >= 0:
                break
        return prompt, items[:count]

    def answer(self, school: str, prompt: Prompt, schema: Schema, deadline: float) -> ModelAnswer:
        """One JSON object. The maximum cost is reserved before the call and replaced by the real cost after it; if the answer
        is unusable, its cost is unknown and the reservation stays. Raises CeilingReached, and as LanguageModel does, but where
        the operator has to act (key, name, context), LanguageModelUnusable: callers go on without the model."""
        with self._reserved(school, prompt) as settle:
            model = self.checker if self.checker and prompt.name.startswith(CHECK) else self.model
            answer = model.generate(prompt, schema, deadline)
            settle(answer.usage)
        return answer

    def asked_by(self, school: str) -> Callable[[Prompt, Schema, float], ModelAnswer]:
        """`answer` for one school."""
        return partial(self.answer, school)

    def pieces(self, school: str, prompt: Prompt, schema: Schema, deadline: float) -> Iterator[AnswerPiece]:
        """An answer piece by piece, paid for as in `answer`."""
        with self._reserved(school, prompt) as settle:
            for piece in self.model.stream(prompt, schema, deadline):
                settle(piece.usage or Usage())
                yield piece

    def reserve(self, school: str, micros: int) -> date:
        """Count a cost before it is spent; returns the day it counts for. Raises CeilingReached."""
        day = self.today()
        if not self.ledger.reserve(school, day, micros, self.ceiling):
            raise errors.CeilingReached("llm_ceiling_reached")
        for place, of in enumerate(self.charged):
            if not self.ledger.reserve(school, of, micros):
                replace(self, charged=self.charged[:place]).settle(school, day, -micros)
                raise errors.CeilingReached("llm_assignment_limit_reached")
        return day

    def settle(self, school: str, day: date, micros: int) -> None:
        """Add the difference between a cost and what was reserved for it."""
        sums: tuple[date | str, ...] = (day, *self.charged)
        for of in sums:
            self.ledger.settle(school, of, micros)

    @contextmanager
    def _reserved(self, school: str, prompt: Prompt) -> Iterator[Callable[[Usage], None]]:
        """Reserve the maximum cost; gives the function that replaces it by the real one."""
        reserved = self.price.micros(max_usage(prompt))
        day = self.reserve(school, reserved)

        def settle(usage: Usage) -> None:
            if usage == Usage():  # a server that does not count tokens
                return
            self.settle(school, day, self.price.micros(usage) - reserved)
            if (self.room(prompt) or 0) < 0 and len(prompt.material) > usage.prompt_tokens * MAX_CHARACTERS_A_TOKEN:
                raise errors.BadAnswer("llm_context_too_small")  # some servers cut a prompt and do not say so

        try:
            yield settle
        except (errors.BadAnswer, errors.ModelRefused, *FREE) as error:
            if isinstance(error, FREE):
                self.settle(school, day, -reserved)
            problem = str(error.values.get("problem", ""))
            about = {"model": self.name, "prompt": prompt.name, "why": error.id, "problem": problem}
            log.warning("language model gave no usable answer", extra=about)
            if isinstance(error, errors.ModelUnavailable | errors.BadRequest):
                raise errors.LanguageModelUnusable(error.message) from error
            raise


def no_school_model(_school: str) -> PaidModel | None:
    return None


def max_usage(prompt: Prompt) -> Usage:
    characters = len(prompt.instructions) + len(prompt.material)
    return Usage(characters // CHARACTERS_A_TOKEN, prompt.max_tokens)
