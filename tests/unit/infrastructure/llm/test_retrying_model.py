"""A language model that is away for a while is asked again until the deadline, and no longer."""

import time
from dataclasses import dataclass, field
from typing import Any

import pytest

from chapterverse.core.errors import BadAnswer, ChapterverseError, LanguageModelUnavailable
from chapterverse.core.ports import ModelAnswer, Prompt, Usage
from chapterverse.infrastructure.llm import streaming as patient_model
from chapterverse.infrastructure.llm.streaming import RetryingModel

PROMPT = Prompt("p-1", "Answer.", "An essay.")
ANSWER = ModelAnswer({"yes": True}, Usage(1, 1))


@dataclass
class Moody:
    """Fails so, one after the other, then answers."""

    fails: list[ChapterverseError]
    model: str = "moody"
    asked: list[float] = field(default_factory=list)

    def generate(self, *_: Any) -> ModelAnswer:
        self.asked.append(time.monotonic())
        if self.fails:
            raise self.fails.pop(0)
        return ANSWER

    stream = None


@pytest.fixture(autouse=True)
def _quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(patient_model, "LONG_PAUSES", lambda _: 0.01)


def away(retry_after: int = 0) -> LanguageModelUnavailable:
    return LanguageModelUnavailable("Away.", retry_after=retry_after)


def ask(inner: Moody, seconds: float = 30) -> ModelAnswer:
    model: Any = inner
    return RetryingModel(model).generate(PROMPT, {}, time.monotonic() + seconds)


def test_it_is_asked_until_it_answers() -> None:
    inner = Moody([away() for _ in range(5)])

    assert ask(inner) == ANSWER
    assert len(inner.asked) == 6


def test_a_server_that_names_a_pause_gets_it() -> None:
    inner = Moody([away(retry_after=1)])

    ask(inner)

    assert inner.asked[1] - inner.asked[0] >= 1


def test_at_the_deadline_it_is_over() -> None:
    inner = Moody([away() for _ in range(1000)])

    with pytest.raises(LanguageModelUnavailable):
        ask(inner, seconds=0.2)

    assert inner.asked[-1] - inner.asked[0] <= 5


def test_a_pause_beyond_the_deadline_is_not_waited_for() -> None:
    began = time.monotonic()

    with pytest.raises(LanguageModelUnavailable):
        ask(Moody([away(retry_after=60)]), seconds=30)

    assert time.monotonic() - began < 15


def test_what_was_answered_and_cannot_be_used_is_not_asked_again() -> None:
    inner = Moody([BadAnswer("No JSON.")])

    with pytest.raises(BadAnswer):
        ask(inner)

    assert len(inner.asked) == 1


def test_it_goes_by_the_models_name() -> None:
    model: Any = Moody([])

    assert RetryingModel(model).model == "moody"
