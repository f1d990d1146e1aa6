"""A Llama in plain NumPy, token by token as the papers write it down: what our graphs must compute."""

import numpy as np
from numpy.typing import NDArray

from chapterverse.adapters.llama_onnx import Shape, Weights

Numbers = NDArray[np.float64]


def log_probs(weights: Weights, shape: Shape, prompt: tuple[int, ...], text: tuple[int, ...]) -> Numbers:
    """Of each token of text after prompt."""
    tokens = [*prompt, *text]
    stream = weights["token_embd.weight"][tokens].astype(float)
    for layer in range(shape.layers):
        own = {name.removeprefix(f"blk.{layer}.")[: -len(".weight")]: one for name, one in weights.items()}
        stream = stream + _attention(_norm(stream, own["attn_norm"], shape), own, shape) @ own["attn_output"].T
        h = _norm(stream, own["ffn_norm"], shape)
        gate = h @ own["ffn_gate"].T
        stream = stream + (gate / (1 + np.exp(-gate)) * (h @ own["ffn_up"].T)) @ own["ffn_down"].T
    head = weights.get("output.weight", weights["token_embd.weight"])
    scores = _norm(stream, weights["output_norm.weight"], shape) @ head.T
    scores -= np.log(np.exp(scores).sum(axis=1, keepdims=True))
    return np.array([scores[place - 1, tokens[place]] for place in range(len(prompt), len(tokens))])


def random_weights(shape: Shape, words: int, inner: int, seed: int = 2) -> Weights:
    """With norms that are not all alike, and some channels much larger than the others, as real models have them."""
    chance = np.random.default_rng(seed)
    width, of_groups = shape.width, shape.width // shape.heads * shape.groups
    sizes = {"attn_q": (width, width), "attn_k": (of_groups, width), "attn_v": (of_groups, width),
             "attn_output": (width, width), "ffn_gate": (inner, width), "ffn_up": (inner, width),
             "ffn_down": (width, inner)}  # fmt: skip
    weights = {"token_embd.weight": chance.normal(0, 0.3, (words, width)), "output_norm.weight": chance.uniform(0.2, 2, width)}
    weights["token_embd.weight"][:, :2] *= 30
    weights["output_norm.weight"][:2] /= 1000
    for layer in range(shape.layers):
        for norm in ("attn_norm", "ffn_norm"):
            weights[f"blk.{layer}.{norm}.weight"] = chance.uniform(0.2, 2, width)
        for name, size in sizes.items():
            weights[f"blk.{layer}.{name}.weight"] = chance.normal(0, 0.1, size)
    return {name: one.astype(np.float32) for name, one in weights.items()}


def _norm(x: Numbers, weight: Numbers, shape: Shape) -> Numbers:
    return x / np.sqrt((x**2).mean(axis=1, keepdims=True) + shape.epsilon) * weight


def _attention(h: Numbers, own: Weights, shape: Shape) -> Numbers:
    size = shape.width // shape.heads
    query, key, value = (h @ own[f"attn_{part}"].T for part in "qkv")
    attended = []
    for head in range(shape.heads):
        group = head // (shape.heads // shape.groups)
        q = _turned(query[:, head * size : (head + 1) * size], shape)
        k, v = _turned(key[:, group * size : (group + 1) * size], shape), value[:, group * size : (group + 1) * size]
        scores = np.where(np.tri(len(h), dtype=bool), q @ k.T / np.sqrt(size), -np.inf)
        shares = np.exp(scores - scores.max(axis=1, keepdims=True))
        attended.append(shares / shares.sum(axis=1, keepdims=True) @ v)
    return np.concatenate(attended, axis=1)


def _turned(x: Numbers, shape: Shape) -> Numbers:
    """Neighbouring numbers are a complex one, turned by its position."""
    angles = np.arange(len(x))[:, None] * shape.turn ** (-np.arange(0, x.shape[1], 2) / x.shape[1])
    turned = (x[:, ::2] + 1j * x[:, 1::2]) * np.exp(1j * angles)
    return np.stack([turned.real, turned.imag], axis=2).reshape(x.shape)
