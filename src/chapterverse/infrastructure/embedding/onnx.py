"""Texts to vectors through any model that takes tokens: what the two local embedders share, so that they agree.

Embedder on ONNX Runtime and the CPU: no torch. About 0.3 s from nothing to the first vector."""

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np
from tokenizers import Tokenizer

from chapterverse.core.errors import ModelUnavailable
from chapterverse.core.hits import Vectors
from chapterverse.infrastructure.embedding.bert_onnx import graph_file
from chapterverse.infrastructure.embedding.model_files import ModelFiles, find_model, model_name
from chapterverse.infrastructure.embedding.onnx_runtime import onnx_runtime
from chapterverse.infrastructure.embedding.windows import Ids, Mask, Tokens, embed_batches, plan_windows, pool


@dataclass(frozen=True)
class WindowedModel:
    """A tokenizer that cuts nothing, and a model that is never given more than it takes.

    run: (b, t) token ids and mask to (b, d) vectors of any length. window: tokens the model takes, special ones included.
    batch_tokens: padded tokens of one batch. at_once: batches that `run` may be given at the same time.
    overlap: the share of a window that its neighbour has too, at least."""

    tokenizer: Tokenizer
    window: int
    dimensions: int
    batch_tokens: int
    run: Callable[[Ids, Mask], Vectors]
    at_once: int = 1
    overlap: float = 0.125

    def embed(self, texts: Sequence[str], prefix: str = "") -> Vectors:
        """(n, d) float32, unit norm. A text longer than the window is embedded in windows, each behind the prefix."""
        first, *last = self.tokenizer.encode("").ids  # BERT's kind: [CLS] text [SEP]
        before = [first, *self._tokens([prefix])[0]]
        bodies = self._tokens(texts)
        room = self.window - len(before) - len(last)
        plans = [plan_windows(len(body), room, int(room * self.overlap)) for body in bodies]
        windows = [[body[start:end] for start, end in plan] for body, plan in zip(bodies, plans, strict=True)]
        sequences = [[*before, *window, *last] for window in chain.from_iterable(windows)]
        vectors = embed_batches(sequences, self.run, self.dimensions, self.batch_tokens, self.at_once)
        return pool(vectors, [len(plan) for plan in plans])

    def _tokens(self, texts: Sequence[str]) -> list[Tokens]:
        return tokens_of(self.tokenizer, texts)


def tokens_of(tokenizer: Tokenizer, texts: Sequence[str]) -> list[Tokens]:
    """Of each text, without the special ones."""
    sound = [text.encode("utf-8", "replace").decode() for text in texts]  # half a surrogate pair would be refused
    return [encoding.ids for encoding in tokenizer.encode_batch(sound, add_special_tokens=False)]


def open_tokenizer(files: ModelFiles) -> Tokenizer:
    """The model's tokenizer without its own padding and truncation: MiniLM's tokenizer.json cuts every text at 128 tokens.

    Raises ModelUnavailable."""
    path = files.folder / "tokenizer.json"
    try:
        tokenizer = Tokenizer.from_file(str(path))
    except Exception as error:  # the library raises nothing narrower
        raise ModelUnavailable("model_file_unreadable", file=path, model=files.name) from error
    tokenizer.no_padding()
    tokenizer.no_truncation()
    return tokenizer


BATCH_TOKENS = 384  # padded tokens of a batch: more is no faster on a CPU, and an essay of few batches leaves cores idle


def available_cores() -> int:
    """Those that this process may use, where the system tells."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


@dataclass(frozen=True)
class OnnxEmbedder:
    """Embedder of any BERT encoder by name or folder, fp32. Nothing is looked for or loaded before the first vector.

    cache: folder for the graphs built here. threads: batches at a time, each in one thread. Many threads for one batch would
    wait for each other after every operator, which costs a third of the time where other programs want the cores, too."""

    name: str
    cache: Path
    threads: int = field(default_factory=available_cores)

    @property
    def model(self) -> str:
        return model_name(self.name)

    @property
    def dimensions(self) -> int:
        return int(self._files.config["hidden_size"])

    def embed_passages(self, texts: Sequence[str]) -> Vectors:
        return self.windowed.embed(texts)

    def embed_queries(self, texts: Sequence[str]) -> Vectors:
        return self.windowed.embed(texts, self._files.query_prefix)

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        return [len(tokens) for tokens in tokens_of(self._tokenizer, texts)]

    @cached_property
    def _tokenizer(self) -> Tokenizer:
        return open_tokenizer(self._files)

    @cached_property
    def _files(self) -> ModelFiles:
        return find_model(self.name)

    @cached_property
    def windowed(self) -> WindowedModel:
        """The model behind its windows, loaded: threads that begin at once would load it more than once."""
        run = partial(self._run, self._session)
        return WindowedModel(self._tokenizer, self._files.window, self.dimensions, BATCH_TOKENS, run, self.threads)

    @cached_property
    def _session(self) -> Any:
        runtime = onnx_runtime()
        options = runtime.SessionOptions()
        options.intra_op_num_threads = 1
        graph = graph_file(self._files, self.cache)
        try:
            return runtime.InferenceSession(graph, options, providers=["CPUExecutionProvider"])
        except Exception as error:  # its errors have no base of their own
            raise ModelUnavailable("onnx_graph_not_loaded", path=graph) from error

    def _run(self, session: Any, ids: Ids, mask: Mask) -> Vectors:
        known = {"input_ids": ids, "attention_mask": mask, "token_type_ids": np.zeros_like(ids)}
        wanted = {given.name: known[given.name] for given in session.get_inputs()}
        states = session.run(None, wanted)[0]
        return pool_tokens(states, mask, self._files.pooling)


def pool_tokens(states: Vectors, mask: Mask, pooling: str) -> Vectors:
    """(b, t, h) token states to (b, h): the first token's ("cls") or the mean over the tokens that are not padding ("mean")."""
    if pooling == "cls":
        return states[:, 0]
    weights = (mask / mask.sum(axis=1, keepdims=True)).astype(np.float32)
    mean: Vectors = np.einsum("bth,bt->bh", states, weights)
    return mean
