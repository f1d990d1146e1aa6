"""With a BERT of a few kilobytes and random weights: what it says means nothing, but it has to be said rightly."""

import math
import time
from importlib.util import find_spec
from pathlib import Path

import pytest

from chapterverse.core.errors import ModelUnavailable
from chapterverse.infrastructure.llm.readers import CrossEncoderReranker
from tests.support.refusals import refused
from tests.support.tiny_bert import tiny_classifier

PAIRS = [("the mind is free", "man is a thing"), ("this sentence", "a restless thing"), ("the mind " * 500, "is free")]


@pytest.fixture
def reranker(tmp_path: Path) -> CrossEncoderReranker:
    return CrossEncoderReranker(str(tiny_classifier(tmp_path / "tiny-reranker", ("relevance",))), device="cpu")


@pytest.mark.torch
def test_a_pair_has_the_same_score_in_any_company_however_long_it_is(reranker: CrossEncoderReranker) -> None:
    together = reranker.scores(PAIRS, math.inf)

    assert together == pytest.approx([reranker.scores([pair], math.inf)[0] for pair in PAIRS], abs=1e-5)
    assert len(set(together)) == len(PAIRS)


@pytest.mark.torch
def test_after_the_deadline_nothing_is_begun(reranker: CrossEncoderReranker) -> None:
    assert reranker.scores(PAIRS, time.monotonic() - 1) == [None] * len(PAIRS)


@pytest.mark.torch
def test_a_model_for_something_else_is_refused(tmp_path: Path) -> None:
    folder = tiny_classifier(tmp_path / "mood", ("bad", "good"))

    with refused(ModelUnavailable, "model_not_reranker"):
        CrossEncoderReranker(str(folder), device="cpu").scores(PAIRS, math.inf)


@pytest.mark.torch
def test_a_folder_without_a_model_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ModelUnavailable, match="cannot load"):
        CrossEncoderReranker(str(tmp_path), device="cpu").scores(PAIRS, math.inf)


def test_without_the_extra_the_operator_is_told_how_to_get_it(reranker: CrossEncoderReranker) -> None:
    if find_spec("sentence_transformers"):
        pytest.skip("the extra gpu is installed")
    with pytest.raises(ModelUnavailable, match=r"chapterverse\[gpu\]"):
        reranker.scores(PAIRS, math.inf)


def test_it_goes_by_the_last_part_of_its_name() -> None:
    assert CrossEncoderReranker("cross-encoder/ms-marco-TinyBERT-L2-v2").model == "ms-marco-TinyBERT-L2-v2"
