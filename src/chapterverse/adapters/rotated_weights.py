"""The same Llama in other coordinates, in which no number is much larger than the rest: what makes eight bits enough.

Some channels of a model are hundreds of times larger than the others, for which one scale a token leaves little. Turned by an
orthogonal matrix, the stream between the layers says the same, evenly (Ashkboos et al. 2024, "QuaRot", without what it turns at
each run). On SmolLM2-135M that halves the noise of int8."""

from collections.abc import Iterator

import numpy as np

from chapterverse.adapters.llama_onnx import Matrix, Shape, Weights

SEED = 0  # any will do; a graph is built the same each time
READERS = {"attn_norm": ("attn_q", "attn_k", "attn_v"), "ffn_norm": ("ffn_gate", "ffn_up")}
WRITERS = ("attn_output", "ffn_down")


def rotated(weights: Weights, shape: Shape) -> Weights:
    """Of a model that computes the same but for rounding; its head is always "output.weight".

    Raises KeyError for a weight that is not there."""
    chance = np.random.default_rng(SEED)
    table = weights["token_embd.weight"]
    stream = orthogonal(table.shape[1], chance)
    turned = {name: np.ones_like(one) if one.ndim == 1 else one for name, one in weights.items()}
    turned["token_embd.weight"] = table @ stream
    turned["output.weight"] = _scaled(weights.get("output.weight", table), weights["output_norm.weight"]) @ stream
    for layer in range(shape.layers):
        turned |= _layer(weights, f"blk.{layer}.", stream)
        turned |= _values(turned, f"blk.{layer}.", shape, chance)
    return {name: one.astype(np.float32) for name, one in turned.items()}


def orthogonal(size: int, chance: np.random.Generator) -> Matrix:
    """(size, size)."""
    return np.linalg.qr(chance.normal(size=(size, size)))[0].astype(np.float32)


def _scaled(weight: Matrix, by_channel: Matrix) -> Matrix:
    return np.asarray(weight * by_channel, np.float32)


def _layer(weights: Weights, layer: str, stream: Matrix) -> Iterator[tuple[str, Matrix]]:
    """What reads the stream takes the norm's own weights over, which do not commute with the rotation."""
    for norm, readers in READERS.items():
        for name in (f"{layer}{reader}.weight" for reader in readers):
            yield name, _scaled(weights[name], weights[f"{layer}{norm}.weight"]) @ stream
    for name in (f"{layer}{writer}.weight" for writer in WRITERS):
        yield name, stream.T @ weights[name]


def _values(turned: Weights, layer: str, shape: Shape, chance: np.random.Generator) -> Iterator[tuple[str, Matrix]]:
    """Attention adds values up, so what a head adds up may be turned and turned back behind it."""
    value, output = f"{layer}attn_v.weight", f"{layer}attn_output.weight"
    turn = orthogonal(len(turned[value]) // shape.groups, chance)
    yield value, np.concatenate([turn.T @ of_group for of_group in np.split(turned[value], shape.groups)])
    yield output, np.concatenate([of_head @ turn for of_head in np.split(turned[output], shape.heads, axis=1)], axis=1)
