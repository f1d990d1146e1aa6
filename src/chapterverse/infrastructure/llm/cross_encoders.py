"""Cross-encoders: models that read two texts together. The trained reader is our own; re-rankers come from elsewhere.

assets/reader holds the reader's graph (ONNX, int8), its tokenizer and its card; scripts/train/reader.py trains it, and
scripts/train/export.py writes these files. Re-rankers need sentence-transformers (extra `gpu`)."""

import os
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import cached_property, partial
from math import inf
from pathlib import Path
from time import monotonic
from typing import Any

import numpy as np
from tokenizers import Tokenizer

from chapterverse.core.errors import ModelUnavailable
from chapterverse.core.ports import Chances, Pair
from chapterverse.core.turns import at_work, pausing
from chapterverse.infrastructure.embedding.model_files import at_revision, plain_name
from chapterverse.infrastructure.embedding.onnx import available_cores, session_of_one_thread
from chapterverse.infrastructure.embedding.windows import Tokens

READER = Path(__file__).parents[2] / "assets" / "reader"
GRAPH, TOKENIZER = "reader.onnx", "tokenizer.json"
NAME = "chapterverse-reader-1"
OUTPUTS = ("useful", "supports", "contradicts")

TEXT, SENTENCE, NEIGHBOUR = 100, 64, 14  # tokens at most
SPECIAL = ("[CLS]", "[SEP]", "[unused1]", "[unused2]")  # the last two stand round the sentence that is judged
ROUND = 8  # pairs between two looks at the deadline


class WordPieces:
    """Texts as token ids, whole and without special tokens. special: those with these names, by their place."""

    def __init__(self, tokenizer: Tokenizer, special: Sequence[str]) -> None:
        tokenizer.no_padding()
        tokenizer.no_truncation()
        self._tokenizer = tokenizer
        vocabulary = tokenizer.get_vocab()
        self.special = tuple(vocabulary[token] for token in special)

    def ids(self, text: str) -> Tokens:
        """The tokens of the text."""
        valid = text.encode("utf-8", "replace").decode()  # the tokenizer refuses half a surrogate pair
        ids: Tokens = self._tokenizer.encode(valid, add_special_tokens=False).ids
        return ids


class PairTokenizer:
    """Pairs as token ids for a BERT with two segments."""

    def __init__(self, tokenizer: Tokenizer) -> None:
        self._pieces = WordPieces(tokenizer, SPECIAL)
        self._cls, self._sep, self._open, self._close = self._pieces.special

    def encode(self, pair: Pair) -> tuple[Tokens, Tokens]:
        """Token ids and segments: [CLS] text [SEP] before [unused1] sentence [unused2] after [SEP]."""
        text = _both_ends(self._pieces.ids(pair.text), TEXT)
        book = [*self._pieces.ids(pair.before)[-NEIGHBOUR:], self._open, *self._pieces.ids(pair.sentence)[:SENTENCE]]
        book += [self._close, *self._pieces.ids(pair.after)[:NEIGHBOUR], self._sep]
        first = [self._cls, *text, self._sep]
        return first + book, [0] * len(first) + [1] * len(book)


def _both_ends(ids: Tokens, limit: int) -> Tokens:
    """The ids, or beginning and end of too many: a paragraph states its point there more often than in between."""
    return ids if len(ids) <= limit else ids[: limit // 2] + ids[-(limit - limit // 2) :]


@dataclass(frozen=True)
class TrainedReader:
    """A Reader on ONNX Runtime, loaded at its first pair. threads: pairs at a time, each in one thread.

    A pair is read alone: in int8, its chances would depend on the others of a batch, by up to 0.07; it takes no longer."""

    folder: Path = READER
    threads: int = field(default_factory=available_cores)

    def chances(self, pairs: Sequence[Pair], deadline: float = inf) -> list[Chances | None]:
        """Chances of each pair; pairs are read in order, and those after the deadline get None. Raises ModelUnavailable."""
        found: list[Chances | None] = [None] * len(pairs)
        if not pairs:
            return found
        session = self._session
        with ThreadPoolExecutor(self.threads) as pool:
            for start in pausing(range(0, len(pairs), ROUND)):
                if start and at_work() >= deadline:
                    break
                encoded = map(self._tokenizer.encode, pairs[start : start + ROUND])
                found[start : start + ROUND] = pool.map(partial(_run, session), encoded)
        return found

    @cached_property
    def _tokenizer(self) -> PairTokenizer:
        return PairTokenizer(tokenizer_in(self.folder / TOKENIZER, NAME))

    @cached_property
    def _session(self) -> Any:
        return session_of_one_thread(self.folder / GRAPH)


def tokenizer_in(path: Path, model: str) -> Tokenizer:
    """The tokenizer in a file. model: whose it is. Raises ModelUnavailable."""
    try:
        return Tokenizer.from_file(os.fspath(path))
    except Exception as error:  # the library raises nothing narrower
        raise ModelUnavailable("model_file_unreadable", file=path, model=model) from error


def _run(session: Any, encoded: tuple[Tokens, Tokens]) -> Chances:
    ids, segments = (np.array([its], np.int64) for its in encoded)
    given = {"input_ids": ids, "attention_mask": np.ones_like(ids), "token_type_ids": segments}
    useful, supports, contradicts = (float(its[0]) for its in session.run(OUTPUTS, given))
    return Chances(useful, supports, contradicts)


WINDOW = 512  # tokens of a pair; the rest is cut
BATCH = 16  # pairs; the re-ranker checks its deadline between batches


@dataclass(frozen=True)
class CrossEncoderReranker:
    """Reranker in the model's own logits, e.g. cross-encoder/ms-marco-TinyBERT-L2-v2 or BAAI/bge-reranker-base, loaded at its
    first pair. name: or a folder; device: torch's name of it ("cuda", "cpu"), None for the best there is."""

    name: str
    device: str | None = None

    @property
    def model(self) -> str:
        return plain_name(self.name)

    @cached_property
    def network(self) -> Any:
        """sentence-transformers' CrossEncoder. Raises ModelUnavailable."""
        try:
            from sentence_transformers import CrossEncoder
        except ImportError as error:
            raise ModelUnavailable("sentence_transformers_missing") from error
        from torch.nn import Identity

        try:
            name, revision = at_revision(self.name)
            network = CrossEncoder(name, revision=revision, device=self.device, activation_fn=Identity())
        except Exception as error:  # its errors have no base of their own
            raise ModelUnavailable("model_not_loaded", model=self.model) from error
        network.max_length = min(WINDOW, network.model.config.max_position_embeddings)  # some tokenizers have no limit
        return network

    def scores(self, pairs: Sequence[tuple[str, str]], deadline: float) -> list[float | None]:
        batches = [pairs[start : start + BATCH] for start in range(0, len(pairs), BATCH)]
        return [score for batch in batches for score in self._of_batch(batch, deadline)]

    def _of_batch(self, pairs: Sequence[tuple[str, str]], deadline: float) -> Iterator[float | None]:
        if monotonic() >= deadline:
            return iter([None] * len(pairs))
        if self.network.num_labels != 1:
            raise ModelUnavailable("model_not_reranker", model=self.model, numbers=self.network.num_labels)
        options = {"batch_size": BATCH, "convert_to_numpy": True, "show_progress_bar": False}
        return map(float, self.network.predict(list(pairs), **options))
