"""Embedder on ONNX Runtime and the CPU: no torch. About 0.3 s from nothing to the first vector."""

import os
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial
from pathlib import Path
from typing import Any

import numpy as np
from tokenizers import Tokenizer

from chapterverse.adapters.bert_onnx import graph_file
from chapterverse.adapters.model_files import ModelFiles, find_model, model_name
from chapterverse.adapters.onnx_runtime import onnx_runtime
from chapterverse.adapters.windowed_model import WindowedModel, open_tokenizer, tokens_of
from chapterverse.adapters.windows import Ids, Mask
from chapterverse.errors import ModelUnavailable
from chapterverse.model import Vectors

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
