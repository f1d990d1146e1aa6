"""Many continuations of few prompts in one run of a model: every prompt once, nothing padded.

A pack is one sequence of tokens. A mask and positions make of it what the pairs are: a text sees its own prompt and itself, and
stands right after that prompt, wherever it lies (tree attention: Cai et al. 2024, "Medusa"; Miao et al. 2024, "SpecInfer")."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

Tokens = tuple[int, ...]
Ints = NDArray[np.int64]

HIDDEN = -10_000.0  # added to the score of what a token does not see, whose softmax is then 0 in fp32


@dataclass
class Pack:
    """Pairs whose tokens go through the model together; texts: by prompt, each with the number of its pair."""

    texts: dict[Tokens, list[tuple[int, Tokens]]] = field(default_factory=dict)
    size: int = 0

    def cost(self, prompt: Tokens, text: Tokens) -> int:
        """Tokens that it would grow by."""
        return len(text) + (0 if prompt in self.texts else len(prompt))

    def add(self, number: int, prompt: Tokens, text: Tokens) -> None:
        """A pair."""
        self.size += self.cost(prompt, text)
        self.texts.setdefault(prompt, []).append((number, text))


@dataclass(frozen=True)
class Laid:
    """A pack as a model takes it: ids and positions (t,), bias (t, t) float32, added to the attention's scores; of the m tokens
    of texts: rows (m,), where the state is that expects each, targets (m,) what it is, owners (m,) the number of its pair."""

    ids: Ints
    positions: Ints
    bias: NDArray[np.float32]
    rows: Ints
    targets: Ints
    owners: Ints

    @property
    def inputs(self) -> dict[str, NDArray[Any]]:
        """By the graph's names."""
        return {name: getattr(self, name) for name in ("ids", "positions", "bias", "rows", "targets")}


def fitted(prompt: Tokens, text: Tokens, window: int) -> tuple[Tokens, Tokens]:
    """As much of the text as the window holds beside one token of the prompt, and as much of the prompt's end as is left."""
    text = text[: window - 1]
    return prompt[-(window - len(text)) :], text


def plan_packs(pairs: Sequence[tuple[Tokens, Tokens]], limit: int) -> list[Pack]:
    """The pairs (prompt, text) in the order given, in packs of at most `limit` tokens; a longer pair is alone, one whose text
    is empty in none."""
    packs: list[Pack] = []
    for number, (prompt, text) in enumerate(pairs):
        if not text:
            continue
        if not packs or packs[-1].size + packs[-1].cost(prompt, text) > limit:
            packs.append(Pack())
        packs[-1].add(number, prompt, text)
    return packs


def lay_out(pack: Pack) -> Laid:
    """Its prompts, each followed by its texts."""
    spans = list(_spans(pack))
    ids = np.array([id for tokens, *_ in spans for id in tokens], np.int64)
    positions = np.concatenate([np.arange(first, first + len(tokens)) for tokens, first, _, _ in spans])
    trees = np.repeat([tree for *_, tree, _ in spans], [len(span[0]) for span in spans])
    owners = np.repeat([owner for *_, owner in spans], [len(span[0]) for span in spans])
    texts = np.flatnonzero(owners >= 0)
    return Laid(ids, positions, _bias(trees, owners), _expecting(spans)[texts], ids[texts], owners[texts])


def mean_by_pair(laid: Laid, log_probs: NDArray[np.float32]) -> list[tuple[int, float]]:
    """The number of each pair and the mean over its text. log_probs: (m,), of laid.targets."""
    numbers, which, sizes = np.unique(laid.owners, return_inverse=True, return_counts=True)
    means = np.bincount(which, log_probs) / sizes
    return [(int(number), float(mean)) for number, mean in zip(numbers, means, strict=True)]


def _spans(pack: Pack) -> Iterator[tuple[Tokens, int, int, int]]:
    """Runs of tokens: the tokens, position of the first, number of the tree, number of the pair (-1: a prompt)."""
    for tree, (prompt, texts) in enumerate(pack.texts.items()):
        yield prompt, 0, tree, -1
        for number, text in texts:
            yield text, len(prompt), tree, number


def _bias(trees: Ints, owners: Ints) -> NDArray[np.float32]:
    same_tree = trees[:, None] == trees[None, :]
    prompt_or_own = (owners[None, :] == -1) | (owners[:, None] == owners[None, :])
    seen = same_tree & prompt_or_own & np.tri(len(trees), dtype=bool)
    return np.where(seen, np.float32(0), np.float32(HIDDEN))


def _expecting(spans: Sequence[tuple[Tokens, int, int, int]]) -> Ints:
    """For each token the place of the one before it in its own text, or at the end of its prompt."""
    before: list[int] = []
    end_of_prompt = 0
    for tokens, _, _, owner in spans:
        start = len(before)
        before += [end_of_prompt, *range(start, start + len(tokens) - 1)]
        if owner < 0:
            end_of_prompt = len(before) - 1
    return np.array(before, np.int64)
