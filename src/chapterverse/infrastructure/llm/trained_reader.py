"""The trained reader: a cross-encoder of our own that reads a student's text and a sentence of a book together.

assets/reader holds its graph (ONNX, int8), its tokenizer and its card; scripts/train/reader.py trains it, and
scripts/train/export.py writes these files."""

import os
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import cached_property, partial
from itertools import chain
from math import inf
from pathlib import Path
from time import monotonic
from typing import Any

import numpy as np
from tokenizers import Tokenizer

from chapterverse.core.errors import ModelUnavailable
from chapterverse.core.ports import Chances, Pair
from chapterverse.infrastructure.embedding.onnx import available_cores, onnx_runtime
from chapterverse.infrastructure.embedding.windows import Tokens, pad, plan_batches

READER = Path(__file__).parents[2] / "assets" / "reader"
GRAPH, TOKENIZER = "reader.onnx", "tokenizer.json"
NAME = "chapterverse-reader-1"
OUTPUTS = ("useful", "supports", "contradicts")

TEXT, SENTENCE, NEIGHBOUR = 100, 64, 14  # tokens at most
SPECIAL = ("[CLS]", "[SEP]", "[unused1]", "[unused2]")  # the last two stand round the sentence that is judged
BATCH_TOKENS = 1_024  # padded tokens of a batch
ROUND = 32  # pairs between two looks at the deadline


class PairTokenizer:
    """Pairs as token ids for a BERT with two segments."""

    def __init__(self, tokenizer: Tokenizer) -> None:
        tokenizer.no_padding()
        tokenizer.no_truncation()
        self._tokenizer = tokenizer
        vocabulary = tokenizer.get_vocab()
        self._cls, self._sep, self._open, self._close = (vocabulary[token] for token in SPECIAL)

    def encode(self, pair: Pair) -> tuple[Tokens, Tokens]:
        """Token ids and segments: [CLS] text [SEP] before [unused1] sentence [unused2] after [SEP]."""
        text = _both_ends(self._ids(pair.text), TEXT)
        book = [*self._ids(pair.before)[-NEIGHBOUR:], self._open, *self._ids(pair.sentence)[:SENTENCE]]
        book += [self._close, *self._ids(pair.after)[:NEIGHBOUR], self._sep]
        first = [self._cls, *text, self._sep]
        return first + book, [0] * len(first) + [1] * len(book)

    def _ids(self, text: str) -> Tokens:
        valid = text.encode("utf-8", "replace").decode()  # the tokenizer refuses half a surrogate pair
        ids: Tokens = self._tokenizer.encode(valid, add_special_tokens=False).ids
        return ids


def _both_ends(ids: Tokens, most: int) -> Tokens:
    """The ids, or beginning and end of too many: a paragraph states its point there more often than in between."""
    return ids if len(ids) <= most else ids[: most // 2] + ids[-(most - most // 2) :]


@dataclass(frozen=True)
class TrainedReader:
    """A Reader on ONNX Runtime, loaded at its first pair. threads: batches at a time, each in one thread."""

    folder: Path = READER
    threads: int = field(default_factory=available_cores)

    def chances(self, pairs: Sequence[Pair], deadline: float = inf) -> list[Chances | None]:
        """Chances of each pair; pairs are read in order, and those after the deadline get None. Raises ModelUnavailable."""
        found: list[Chances | None] = [None] * len(pairs)
        if not pairs:
            return found
        session = self._session
        with ThreadPoolExecutor(self.threads) as pool:
            for start in range(0, len(pairs), ROUND):
                if start and monotonic() >= deadline:
                    break
                encoded = [self._tokenizer.encode(pair) for pair in pairs[start : start + ROUND]]
                batches = plan_batches([len(ids) for ids, _ in encoded], BATCH_TOKENS)
                runs = pool.map(partial(_run, session), ([encoded[place] for place in batch] for batch in batches))
                for place, chances in zip(chain.from_iterable(batches), chain.from_iterable(runs), strict=True):
                    found[start + place] = chances
        return found

    @cached_property
    def _tokenizer(self) -> PairTokenizer:
        path = self.folder / TOKENIZER
        try:
            return PairTokenizer(Tokenizer.from_file(os.fspath(path)))
        except Exception as error:  # the library raises nothing narrower
            raise ModelUnavailable("model_file_unreadable", file=path, model=NAME) from error

    @cached_property
    def _session(self) -> Any:
        runtime, path = onnx_runtime(), self.folder / GRAPH
        options = runtime.SessionOptions()
        options.intra_op_num_threads = 1
        try:
            return runtime.InferenceSession(os.fspath(path), options, providers=["CPUExecutionProvider"])
        except Exception as error:  # its errors have no base of their own
            raise ModelUnavailable("onnx_graph_not_loaded", path=path) from error


def _run(session: Any, encoded: Sequence[tuple[Tokens, Tokens]]) -> list[Chances]:
    ids, mask = pad([ids for ids, _ in encoded])
    segments = np.zeros_like(ids)
    segments[mask == 1] = np.concatenate([its for _, its in encoded])
    given = {"input_ids": ids, "attention_mask": mask, "token_type_ids": segments}
    return [Chances(*map(float, row)) for row in np.stack(session.run(OUTPUTS, given), axis=1)]
