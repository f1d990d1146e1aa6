"""A language model of Llama's kind as an ONNX graph, built straight from its weights: no torch, no compiler.

The graph (opset 23) takes a pack of tokens (adapters.token_packs.Laid) and gives the log-probability of each target, so that
the vocabulary's scores never leave it. Architecture: Touvron et al. 2023, "LLaMA"; grouped heads: Ainslie et al. 2023, "GQA".
In int8 the products take about half the time: weights by output channel and activations by token (Dettmers et al. 2022,
"LLM.int8()", vector-wise), which is measured at each run, in coordinates without outliers (adapters.rotated_weights)."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from chapterverse.adapters.onnx_graph import Graph

GRAPH_VERSION = 2  # part of the cached file's name: raise it with every change to the graph
WINDOW = 1024  # positions: tokens of a pair, at most
OPSET, IR_VERSION = 23, 11  # the first opset with Attention, RMSNormalization and RotaryEmbedding; ONNX Runtime 1.23 and later
LARGEST = 127  # of a signed byte that has a negative
LARGEST_WEIGHT = 63  # two products of it with a byte fit in 16 bits: older CPUs (AVX2 without VNNI) add them there, and cut off
MIDDLE = 128  # the unsigned byte that stands for 0
TINY = 1e-8  # scale of a token whose numbers are all 0

Matrix = NDArray[np.float32]
Weights = Mapping[str, Matrix]
"""By GGUF's names, (out, in)."""


@dataclass(frozen=True)
class Shape:
    """heads: of queries; groups: of keys and values; turn: base of the rotary angles."""

    layers: int
    heads: int
    groups: int
    width: int
    epsilon: float
    turn: float


def build_graph(weights: Weights, shape: Shape, *, int8: bool) -> bytes:
    """The serialized graph. Raises KeyError for a weight that is not there."""
    graph = _Graph(weights=weights, shape=shape, int8=int8)
    graph.outputs(graph.states())
    return graph.serialized("llama", _inputs(), _outputs(), OPSET, IR_VERSION)


def _inputs() -> list[Any]:
    """Those of Laid."""
    from onnx import TensorProto, helper

    whole = {"ids": ["t"], "positions": ["t"], "rows": ["m"], "targets": ["m"]}
    bias = helper.make_tensor_value_info("bias", TensorProto.FLOAT, ["t", "t"])
    return [bias, *(helper.make_tensor_value_info(name, TensorProto.INT64, size) for name, size in whole.items())]


def _outputs() -> list[Any]:
    from onnx import TensorProto, helper

    return [helper.make_tensor_value_info("log_probs", TensorProto.FLOAT, ["m"])]


@dataclass
class _Graph(Graph):
    """With the layers that a Llama is made of. Values are (1, t, …), because Attention wants a batch."""

    weights: Weights = field(kw_only=True)
    shape: Shape = field(kw_only=True)
    int8: bool = field(kw_only=True)
    quantised: dict[str, tuple[str, str]] = field(default_factory=dict)

    def states(self) -> str:
        """Of every token, after the last layer."""
        where = (*self._rotations(), self._batch("positions"))
        x = self._batch(self.add("Gather", self._weight("token_embd"), "ids"))
        for layer in (f"blk.{number}" for number in range(self.shape.layers)):
            x = self.add("Add", x, self._attention(self._norm(x, f"{layer}.attn_norm"), layer, where))
            x = self.add("Add", x, self._feed_forward(self._norm(x, f"{layer}.ffn_norm"), layer))
        return x

    def outputs(self, states: str) -> None:
        """log_probs: log-softmax of the scores of each row, at its target."""
        first, last = self.constant(np.array([0])), self.constant(np.array([1]))
        expecting = self._norm(self.add("Gather", states, "rows", axis=1), "output_norm")
        scores = self.add("Squeeze", self._linear(expecting, self._head), first)
        of_target = self.add("GatherElements", scores, self.add("Unsqueeze", "targets", last), axis=1)
        of_all = self.add("ReduceLogSumExp", scores, last)
        self.add("Squeeze", self.add("Sub", of_target, of_all), last, name="log_probs")

    @property
    def _head(self) -> str:
        """Small models say words with the table that they read them by (Press & Wolf 2017)."""
        return "output" if "output.weight" in self.weights else "token_embd"

    def _attention(self, h: str, layer: str, where: tuple[str, ...]) -> str:
        heads, groups = self.shape.heads, self.shape.groups
        query, key, value = (self._linear(h, f"{layer}.attn_{part}") for part in "qkv")
        query, key = (  # GGUF keeps the two numbers that are turned together side by side
            self.add("RotaryEmbedding", x, *where, num_heads=count, interleaved=1)
            for x, count in ((query, heads), (key, groups))
        )
        attended = self.add("Attention", query, key, value, "bias", q_num_heads=heads, kv_num_heads=groups)
        return self._linear(attended, f"{layer}.attn_output")

    def _feed_forward(self, h: str, layer: str) -> str:
        """SwiGLU (Shazeer 2020)."""
        gate, wide = (self._linear(h, f"{layer}.ffn_{part}") for part in ("gate", "up"))
        open_ = self.add("Mul", gate, self.add("Sigmoid", gate))
        return self._linear(self.add("Mul", open_, wide), f"{layer}.ffn_down")

    def _rotations(self) -> tuple[str, str]:
        """Cosines and sines of every position's angles (Su et al. 2021, "RoFormer")."""
        size = self.shape.width // self.shape.heads
        angles = np.arange(WINDOW)[:, None] * self.shape.turn ** (-np.arange(0, size, 2) / size)
        return self.constant(np.cos(angles).astype(np.float32)), self.constant(np.sin(angles).astype(np.float32))

    def _norm(self, x: str, name: str) -> str:
        return self.add("RMSNormalization", x, self._weight(name), axis=-1, epsilon=self.shape.epsilon)

    def _linear(self, x: str, name: str) -> str:
        weight = self.weights[f"{name}.weight"]
        return self._int8_product(x, weight) if self.int8 else self.add("MatMul", x, self.constant(weight.T))

    def _int8_product(self, x: str, weight: Matrix) -> str:
        from onnx import TensorProto

        scales = np.maximum(np.abs(weight).max(axis=1) / LARGEST_WEIGHT, TINY).astype(np.float32)
        rounded = np.rint(weight / scales[:, None]).astype(np.int8)
        tokens, their_scales = self._quantised(x)
        product = self.add("MatMulInteger", tokens, self.constant(rounded.T), self.constant(np.uint8(MIDDLE)))
        product = self.add("Mul", self.add("Cast", product, to=TensorProto.FLOAT), self.constant(scales))
        return self.add("Mul", product, their_scales)

    def _quantised(self, x: str) -> tuple[str, str]:
        """In unsigned bytes around MIDDLE, with the scale of each token, (1, t, 1)."""
        if x not in self.quantised:
            largest = self.add("ReduceMax", self.add("Abs", x), self.constant(np.array([-1])))
            scales = self.add("Div", largest, self.constant(np.float32(LARGEST)))
            scales = self.add("Max", scales, self.constant(np.float32(TINY)))
            flat = self.add("Squeeze", scales, self.constant(np.array([0, 2])))
            middle = self.add("Expand", self.constant(np.array([MIDDLE], np.uint8)), self.add("Shape", flat))
            self.quantised[x] = (self.add("QuantizeLinear", x, flat, middle, axis=1), scales)
        return self.quantised[x]

    def _weight(self, name: str) -> str:
        return self.constant(self.weights[f"{name}.weight"])

    def _batch(self, x: str) -> str:
        return self.add("Unsqueeze", x, self.constant(np.array([0])))
