"""What everything must do that reads a query and a sentence together."""

import math
import time
from pathlib import Path

import pytest

from chapterverse.infrastructure.llm.readers import CrossEncoderReranker
from tests.support.tiny_bert import tiny_classifier

pytestmark = pytest.mark.torch

PAIRS = [
    ("the mind is free", "the mind of man is free"),
    ("the mind is free", "a thing is restless"),
    ("man is a thing", "the mind of man is free"),
]
NOISE = 1e-5


@pytest.fixture
def reranker(tmp_path: Path) -> CrossEncoderReranker:
    return CrossEncoderReranker(str(tiny_classifier(tmp_path / "tiny", ("relevance",))), device="cpu")


def test_it_says_which_model_it_is(reranker: CrossEncoderReranker) -> None:
    assert reranker.model == "tiny"


def test_every_pair_has_a_score_and_those_of_one_query_differ(reranker: CrossEncoderReranker) -> None:
    scores = reranker.scores(PAIRS, math.inf)

    assert len(scores) == 3
    assert None not in scores
    assert scores[0] != scores[1]


def test_a_pair_given_twice_has_one_score(reranker: CrossEncoderReranker) -> None:
    scores = reranker.scores([*PAIRS, *PAIRS], time.monotonic() + 60)

    assert scores[:3] == pytest.approx(scores[3:], abs=NOISE)


def test_no_pairs_are_no_work(reranker: CrossEncoderReranker) -> None:
    assert reranker.scores([], math.inf) == []
