"""What everything must do that reads a query and a sentence together."""

import json
import math
import time
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path

import pytest

from chapterverse.adapters.cross_encoder_reranker import CrossEncoderReranker
from chapterverse.adapters.likelihood_reranker import LikelihoodReranker
from chapterverse.adapters.listwise_reranker import ListwiseReranker
from chapterverse.adapters.onnx_likelihood import OnnxLikelihood
from chapterverse.adapters.remembered_reranker import RememberedReranker
from chapterverse.ports import Reranker
from tests.support.language_servers import Asked, Reply, language_server, says
from tests.support.tiny_bert import tiny_classifier
from tests.support.tiny_gguf import write_tiny_model

PAIRS = [
    ("the mind is free", "the mind of man is free"),
    ("the mind is free", "a thing is restless"),
    ("man is a thing", "the mind of man is free"),
]
NOISE = 0.02  # of eight bits


@contextmanager
def likelihood(folder: Path) -> Iterator[Reranker]:
    yield LikelihoodReranker(OnnxLikelihood(folder, str(write_tiny_model(folder / "tiny.gguf"))))


@contextmanager
def listwise(_: Path) -> Iterator[Reranker]:
    """Behind it a server that orders candidates by their letters."""
    with language_server() as server:
        server.reply = in_order_of_letters
        model = server.openai()
        yield ListwiseReranker(model.generate, model.model)


@contextmanager
def cross_encoder(folder: Path) -> Iterator[Reranker]:
    if find_spec("sentence_transformers") is None:
        pytest.skip("needs the extra gpu")
    yield CrossEncoderReranker(str(tiny_classifier(folder / "tiny", ("relevance",))), device="cpu")


@contextmanager
def remembered(folder: Path) -> Iterator[Reranker]:
    with likelihood(folder) as reranker:
        yield RememberedReranker(reranker)


def in_order_of_letters(asked: Asked) -> Reply:
    orders = [
        {"query": one["query"], "best_first": [int(n) for n, _ in sorted(one["candidates"].items(), key=lambda each: each[1])]}
        for one in json.loads(asked.material)
    ]
    return says({"orders": orders})


@pytest.fixture(params=[likelihood, listwise, cross_encoder, remembered], ids=lambda start: start.__name__)
def reranker(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Reranker]:
    """Each real one."""
    with request.param(tmp_path) as running:
        yield running


def test_it_says_which_model_it_is(reranker: Reranker) -> None:
    assert reranker.model in {"tiny", "a-model"}


def test_every_pair_has_a_score_and_those_of_one_query_differ(reranker: Reranker) -> None:
    scores = reranker.scores(PAIRS, math.inf)

    assert len(scores) == 3
    assert None not in scores
    assert scores[0] != scores[1]


def test_a_pair_given_twice_has_one_score(reranker: Reranker) -> None:
    scores = reranker.scores([*PAIRS, *PAIRS], time.monotonic() + 60)

    assert scores[:3] == pytest.approx(scores[3:], abs=NOISE)


def test_no_pairs_are_no_work(reranker: Reranker) -> None:
    assert reranker.scores([], math.inf) == []
