"""Against a Llama in plain NumPy, with random weights, some much larger than the others."""

import numpy as np
import onnx
import pytest

from chapterverse.adapters.llama_onnx import Shape, Weights, build_graph
from chapterverse.adapters.onnx_runtime import onnx_runtime
from chapterverse.adapters.rotated_weights import rotated
from chapterverse.adapters.token_packs import lay_out, plan_packs
from tests.support.plain_llama import log_probs, random_weights

SHAPE = Shape(layers=2, heads=4, groups=2, width=32, epsilon=1e-5, turn=10_000.0)
WEIGHTS = random_weights(SHAPE, words=40, inner=48)
PAIRS = [((1, 2, 3), (4, 5, 6, 7)), ((1, 2, 3), (8, 9)), ((10, 11), (12, 13, 14))]


def said(weights: Weights, *, int8: bool) -> list[float]:
    """What the graph says of every token of the pairs' texts, all in one pack."""
    session = onnx_runtime().InferenceSession(build_graph(weights, SHAPE, int8=int8))
    [pack] = plan_packs(PAIRS, limit=64)
    return session.run(None, lay_out(pack).inputs)[0].tolist()


def meant(weights: Weights) -> list[float]:
    return np.concatenate([log_probs(weights, SHAPE, *pair) for pair in PAIRS]).tolist()


def test_the_graph_is_valid_onnx() -> None:
    onnx.checker.check_model(onnx.load_from_string(build_graph(WEIGHTS, SHAPE, int8=True)), full_check=True)


def test_it_computes_what_a_llama_does_though_prompts_are_shared_and_packed() -> None:
    assert said(WEIGHTS, int8=False) == pytest.approx(meant(WEIGHTS), abs=1e-4)


def test_a_head_of_its_own_is_used() -> None:
    weights = {**WEIGHTS, "output.weight": WEIGHTS["token_embd.weight"][::-1].copy()}

    assert said(weights, int8=False) == pytest.approx(meant(weights), abs=1e-4)


def test_rotated_it_is_the_same_model() -> None:
    assert meant(rotated(WEIGHTS, SHAPE)) == pytest.approx(meant(WEIGHTS), abs=1e-4)


def test_eight_bits_are_enough_where_the_weights_are_rotated() -> None:
    exact = np.array(meant(WEIGHTS))

    plain, turned = (
        np.abs(np.array(said(weights, int8=True)) - exact).mean() for weights in (WEIGHTS, rotated(WEIGHTS, SHAPE))
    )

    assert turned < plain / 2
