"""What everything must do that says how much a language model expects a text.

The models here know nothing, and every byte is a token."""

import math
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from chapterverse.adapters.onnx_likelihood import OnnxLikelihood
from chapterverse.adapters.openai_compatible import open_client
from chapterverse.adapters.openai_likelihood import OpenAiLikelihood
from chapterverse.ports import Likelihood
from tests.support.completion_server import completion_server
from tests.support.tiny_gguf import write_tiny_model

PAIRS = [("A book:", " one"), ("A book:", " two"), ("Another book:", " one"), ("", "free")]
NOISE = 0.02  # nats, of eight bits


@contextmanager
def in_bytes(tmp_path: Path) -> Iterator[Likelihood]:
    yield OnnxLikelihood(tmp_path, str(write_tiny_model(tmp_path / "tiny.gguf")), int8=True)


@contextmanager
def in_full(tmp_path: Path) -> Iterator[Likelihood]:
    yield OnnxLikelihood(tmp_path, str(write_tiny_model(tmp_path / "tiny.gguf")), int8=False)


@contextmanager
def on_a_server(_: Path) -> Iterator[Likelihood]:
    with completion_server() as url:
        yield OpenAiLikelihood(open_client(url), "tiny")


@pytest.fixture(params=[in_bytes, in_full, on_a_server], ids=lambda start: start.__name__)
def likelihood(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Likelihood]:
    """Each real one."""
    with request.param(tmp_path) as running:
        yield running


def test_it_says_which_model_it_is(likelihood: Likelihood) -> None:
    assert likelihood.model == "tiny"


def test_every_pair_has_a_number_that_no_probability_exceeds(likelihood: Likelihood) -> None:
    found = likelihood.log_probs(PAIRS, math.inf)

    assert len(set(found)) == len(PAIRS)
    assert all(one is not None and one < 0 for one in found)


def test_a_pair_has_the_same_in_any_company(likelihood: Likelihood) -> None:
    together = likelihood.log_probs([*PAIRS, *PAIRS[::-1]], math.inf)

    alone = [likelihood.log_probs([pair], math.inf)[0] for pair in PAIRS]

    assert together == pytest.approx([*alone, *alone[::-1]], abs=NOISE)


def test_it_is_the_mean_over_the_tokens_of_the_text(likelihood: Likelihood) -> None:
    whole, first, second = likelihood.log_probs([("Is it", " so"), ("Is it", " s"), ("Is it s", "o")], math.inf)

    assert first is not None
    assert second is not None
    assert whole == pytest.approx((2 * first + second) / 3, abs=NOISE)


def test_no_text_is_certain_and_no_pairs_are_no_work(likelihood: Likelihood) -> None:
    assert likelihood.log_probs([("A book:", "")], math.inf) == [0.0]
    assert likelihood.log_probs([], math.inf) == []


def test_after_the_deadline_nothing_is_begun(likelihood: Likelihood) -> None:
    assert likelihood.log_probs(PAIRS, time.monotonic() - 1) == [None] * len(PAIRS)


@pytest.mark.parametrize("pair", [("word " * 2000, " end"), ("A book:", " word" * 2000)], ids=["prompt", "text"])
def test_a_pair_longer_than_the_model_can_read_is_cut(pair: tuple[str, str], likelihood: Likelihood) -> None:
    [found] = likelihood.log_probs([pair], math.inf)

    assert found is not None
    assert found < 0


def test_half_a_character_does_no_harm(likelihood: Likelihood) -> None:
    [found] = likelihood.log_probs([("A book: \ud800", " so \ud800")], math.inf)

    assert found is not None
