"""The trained reader of essays: what a teacher would say at each sentence, as probabilities.

assets/essay_reader holds its graph (ONNX, int8), its tokenizer and its card; scripts/train/essays.py trains it and writes these
files. It reads a whole essay at once, or a long one in windows: whether a reason is bare depends on what follows it."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate, pairwise
from math import inf
from pathlib import Path
from time import monotonic
from typing import Any

import numpy as np
from numpy.typing import NDArray
from tokenizers import Tokenizer

from chapterverse.core.ports import Signs
from chapterverse.infrastructure.embedding.onnx import session_of_one_thread
from chapterverse.infrastructure.embedding.windows import Tokens
from chapterverse.infrastructure.llm.cross_encoders import WordPieces, tokenizer_in

ESSAY_READER = Path(__file__).parents[2] / "assets" / "essay_reader"
GRAPH, TOKENIZER = "reader.onnx", "tokenizer.json"
NAME = "chapterverse-essay-reader-1"
TASK, SENTENCE, WINDOW = 40, 120, 448  # tokens at most of the task, of a sentence, and of what is read at once
SPECIAL = ("[CLS]", "[SEP]")


@dataclass(frozen=True, slots=True)
class Window:
    """Sentences that are read at once. ids: tokens; first: index of the first sentence in the essay; spans: the tokens
    [start, end) of each; skip: how many of the first and of the last ones another window shows with more around them."""

    ids: Tokens
    first: int
    spans: tuple[tuple[int, int], ...]
    skip: tuple[int, int] = (0, 0)

    @property
    def places(self) -> tuple[slice, slice]:
        """The sentences that no other window shows better, in the essay and in this window."""
        first, end = self.skip[0], len(self.spans) - self.skip[1]
        return slice(self.first + first, self.first + end), slice(first, end)

    @property
    def pool(self) -> NDArray[np.float32]:
        """(n, t): the weights by which the states of tokens become those of sentences, their mean."""
        weights = np.zeros((len(self.spans), len(self.ids)), np.float32)
        for row, (start, end) in enumerate(self.spans):
            weights[row, start:end] = 1 / (end - start)
        return weights


class EssayTokenizer:
    """Essays as windows of token ids."""

    def __init__(self, tokenizer: Tokenizer) -> None:
        self._pieces = WordPieces(tokenizer, SPECIAL)
        self._cls, self._sep = self._pieces.special

    def windows(self, task: str, paragraphs: Sequence[Sequence[str]]) -> Iterator[Window]:
        """[CLS] task [SEP] sentences, with a [SEP] between paragraphs. A window begins in the middle of the one before."""
        head = [self._cls, *self._pieces.ids(task)[:TASK], self._sep]
        sentences = [
            (at, self._pieces.ids(text)[:SENTENCE] or [self._sep]) for at, its in enumerate(paragraphs) for text in its
        ]
        start = skip = 0
        while start < len(sentences):
            ids, spans = list(head), list[tuple[int, int]]()
            for place in range(start, len(sentences)):
                paragraph, tokens = sentences[place]
                gap = [self._sep] if spans and paragraph != sentences[place - 1][0] else []
                if spans and len(ids) + len(gap) + len(tokens) > WINDOW:
                    break
                ids += gap
                spans.append((len(ids), len(ids) + len(tokens)))
                ids += tokens
            is_last = start + len(spans) == len(sentences)
            step = max(len(spans) // 2, 1)
            cut = 0 if is_last else (len(spans) - step) // 2
            yield Window(ids, start, tuple(spans), (skip, cut))
            skip = len(spans) - step - cut
            start += len(spans) if is_last else step


@dataclass(frozen=True)
class EssayReader:
    """A ReadEssay on ONNX Runtime, loaded at its first essay."""

    folder: Path = ESSAY_READER

    def signs(self, task: str, paragraphs: Sequence[Sequence[str]], deadline: float = inf) -> list[list[Signs | None]]:
        """The signs of each sentence. Windows are read in order until the deadline, at least one. Raises ModelUnavailable."""
        found: list[Signs | None] = [None] * sum(map(len, paragraphs))
        for window in self._tokenizer.windows(task, paragraphs) if found else ():
            if window.first and monotonic() >= deadline:
                break
            in_essay, here = window.places
            found[in_essay] = self._read(window)[here]
        ends = accumulate((len(its) for its in paragraphs), initial=0)
        return [found[start:end] for start, end in pairwise(ends)]

    def _read(self, window: Window) -> list[Signs]:
        ids = np.array([window.ids], np.int64)
        given = {"input_ids": ids, "attention_mask": np.ones_like(ids), "pool": window.pool[None]}
        [chances] = self._session.run(["chances"], given)
        return [Signs(*map(float, row)) for row in chances[0]]

    @cached_property
    def _tokenizer(self) -> EssayTokenizer:
        return EssayTokenizer(tokenizer_in(self.folder / TOKENIZER, NAME))

    @cached_property
    def _session(self) -> Any:
        return session_of_one_thread(self.folder / GRAPH)
