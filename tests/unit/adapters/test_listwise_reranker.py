import json
import math
from typing import Any

import pytest

from chapterverse.adapters.listwise_reranker import ListwiseReranker
from chapterverse.errors import BadAnswer
from chapterverse.language import Answer, Prompt, Schema, Usage

PAIRS = [("first", "a"), ("first", "b"), ("first", "c"), ("second", "b")]


class Model:
    """Answers with one value, and keeps what it was asked."""

    def __init__(self, value: Any) -> None:
        self.value, self.asked = value, list[Prompt]()

    def generate(self, prompt: Prompt, _: Schema, __: float) -> Answer:
        self.asked.append(prompt)
        return Answer(self.value, Usage())


def scores(*orders: dict[str, Any]) -> list[float | None]:
    return ListwiseReranker(Model({"orders": list(orders)}).generate, "a-model").scores(PAIRS, math.inf)


def test_one_question_holds_every_query_with_its_candidates() -> None:
    model = Model({"orders": []})

    ListwiseReranker(model.generate, "a-model").scores(PAIRS, math.inf)

    [asked] = model.asked
    assert json.loads(asked.material) == [
        {"query": 1, "student": "first", "candidates": {"1": "a", "2": "b", "3": "c"}},
        {"query": 2, "student": "second", "candidates": {"1": "b"}},
    ]


def test_the_best_has_nothing_taken_off_and_the_last_one() -> None:
    assert scores({"query": 1, "best_first": [3, 1, 2]}, {"query": 2, "best_first": [1]}) == [-0.5, -1, 0, 0]


def test_what_the_answer_leaves_out_is_last_and_what_there_is_not_is_left_out() -> None:
    assert scores({"query": 1, "best_first": [7, 2, 2]}) == [-1, 0, -1, -1]


@pytest.mark.parametrize(
    "value", [{}, {"orders": 1}, {"orders": [{"query": "x", "best_first": []}]}, {"orders": [[]]}], ids=str
)
def test_an_answer_of_another_form_is_none(value: Any) -> None:
    with pytest.raises(BadAnswer, match="no order"):
        ListwiseReranker(Model(value).generate, "a-model").scores(PAIRS, math.inf)
