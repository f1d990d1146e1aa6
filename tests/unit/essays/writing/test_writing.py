from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from datetime import date
from pathlib import Path

import pytest

from chapterverse.core.errors import BadAnswer, CeilingReached, ChapterverseError, LanguageModelUnavailable
from chapterverse.core.paid_model import PaidModel, Price, max_usage
from chapterverse.core.ports import MAX_TOKENS, AnswerPiece, LanguageModel, ModelAnswer, Prompt, Schema, Usage
from chapterverse.infrastructure.quotas import SqlLedger

TODAY = date(2026, 11, 20)
PROMPT = Prompt("p-1", "x" * 300, "")
MOST = 100 + 4 * MAX_TOKENS  # at the prices below: 1 for what is read, 4 for what is written


class Model:
    """Answers so, or fails so."""

    model = "a-model"

    def __init__(self, usage: Usage = Usage(90, 10), error: ChapterverseError | None = None) -> None:  # noqa: B008 (frozen)
        self.usage, self.error = usage, error

    def generate(self, prompt: Prompt, schema: Schema, deadline: float) -> ModelAnswer:
        if self.error:
            raise self.error
        return ModelAnswer({}, self.usage)

    def stream(self, prompt: Prompt, deadline: float, schema: Schema | None = None) -> Iterator[AnswerPiece]:
        if self.error:
            raise self.error
        yield AnswerPiece("so")
        yield AnswerPiece("", self.usage)


@contextmanager
def paid(folder: Path, model: object, ceiling: int = 10**6) -> Iterator[PaidModel]:
    assert isinstance(model, Model)
    real: LanguageModel = model
    with closing(SqlLedger(f"sqlite:///{folder}/catalog.db")) as ledger:
        yield PaidModel(real, ledger, Price(prompt=1, answer=4), ceiling, today=lambda: TODAY)


def test_tokens_times_price_are_millionths_of_the_currency() -> None:
    assert Price(prompt=0.3, answer=2.5).micros(Usage(1_000_000, 1_000_000)) == 2_800_000
    assert Price(prompt=0.3, answer=2.5).micros(Usage(1, 0)) == 1


def test_a_call_takes_at_most_what_its_letters_allow_for() -> None:
    assert max_usage(PROMPT) == Usage(100, MAX_TOKENS)


def test_a_call_costs_what_its_tokens_cost(tmp_path: Path) -> None:
    with paid(tmp_path, Model()) as model:
        model.answer("school", PROMPT, {}, 0)

        assert model.ledger.spent("school", TODAY) == 90 + 4 * 10


def test_beyond_the_ceiling_nobody_is_asked(tmp_path: Path) -> None:
    with paid(tmp_path, Model(error=AssertionError()), ceiling=MOST - 1) as model:  # type: ignore[arg-type]
        with pytest.raises(CeilingReached):
            model.answer("school", PROMPT, {}, 0)

        assert model.ledger.spent("school", TODAY) == 0


def test_nothing_is_owed_where_nothing_was_answered(tmp_path: Path) -> None:
    with paid(tmp_path, Model(error=LanguageModelUnavailable("Gone."))) as model:
        with pytest.raises(LanguageModelUnavailable):
            model.answer("school", PROMPT, {}, 0)

        assert model.ledger.spent("school", TODAY) == 0


@pytest.mark.parametrize("model", [Model(error=BadAnswer("No JSON.")), Model(usage=Usage())], ids=["bad", "not counted"])
def test_where_nobody_tells_what_it_has_cost_the_most_is_taken(model: Model, tmp_path: Path) -> None:
    with paid(tmp_path, model) as paid_model:
        with suppress(BadAnswer):
            paid_model.answer("school", PROMPT, {}, 0)

        assert paid_model.ledger.spent("school", TODAY) == MOST


def test_an_answer_that_is_streamed_costs_the_same(tmp_path: Path) -> None:
    with paid(tmp_path, Model()) as model:
        assert [piece.text for piece in model.pieces("school", PROMPT, {}, 0)] == ["so", ""]

        assert model.ledger.spent("school", TODAY) == 90 + 4 * 10


def test_a_stream_that_never_began_costs_nothing(tmp_path: Path) -> None:
    with paid(tmp_path, Model(error=LanguageModelUnavailable("Gone."))) as model:
        with pytest.raises(LanguageModelUnavailable):
            list(model.pieces("school", PROMPT, {}, 0))

        assert model.ledger.spent("school", TODAY) == 0
