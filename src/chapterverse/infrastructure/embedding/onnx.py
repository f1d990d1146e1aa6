"""Embedder on ONNX Runtime and the CPU: no torch, about 0.3 s from the start to the first vector."""

import os
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from chapterverse.core.errors import ModelUnavailable
from chapterverse.core.hits import Vectors
from chapterverse.infrastructure.embedding.bert_onnx import graph_file
from chapterverse.infrastructure.embedding.local import LocalEmbedder, WindowedModel
from chapterverse.infrastructure.embedding.windows import Ids, Mask

BATCH_TOKENS = 384  # padded tokens of a batch: more is no faster on a CPU, and an essay of few batches leaves cores idle


def onnx_runtime() -> Any:
    """The module `onnxruntime`, with telemetry off: imported otherwise, 1.29 and later report every process and model.

    Its `disable_telemetry_events` comes too late, because the import itself sends (microsoft/onnxruntime#25573)."""
    os.environ["ORT_DISABLE_TELEMETRY"] = "1"
    import onnxruntime

    return onnxruntime


def session_of_one_thread(graph: Path) -> Any:
    """A session of ONNX Runtime for the graph in a file. Raises ModelUnavailable."""
    runtime = onnx_runtime()
    options = runtime.SessionOptions()
    options.intra_op_num_threads = 1
    try:
        return runtime.InferenceSession(graph, options, providers=["CPUExecutionProvider"])
    except Exception as error:  # its errors have no base of their own
        raise ModelUnavailable("onnx_graph_not_loaded", path=graph) from error


def available_cores() -> int:
    """CPU cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


@dataclass(frozen=True)
class OnnxEmbedder(LocalEmbedder):
    """Embedder of any BERT encoder, fp32.

    cache: folder for the graphs built here. threads: batches at a time, each in one thread. With several threads per batch they
    wait for each other after every operator, which costs a third of the time if other programs use the cores too."""

    cache: Path
    threads: int = field(default_factory=available_cores)

    @property
    def dimensions(self) -> int:
        projections = self._files.projections
        return len(projections[-1].bias) if projections else int(self._files.config["hidden_size"])

    def _load(self) -> WindowedModel:
        run = partial(self._run, self._session())
        return WindowedModel(self._tokenizer, self._files.window, self.dimensions, BATCH_TOKENS, run, self.threads)

    def _session(self) -> Any:
        return session_of_one_thread(graph_file(self._files, self.cache))

    def _run(self, session: Any, ids: Ids, mask: Mask) -> Vectors:
        known = {"input_ids": ids, "attention_mask": mask, "token_type_ids": np.zeros_like(ids)}
        wanted = {given.name: known[given.name] for given in session.get_inputs()}
        states = session.run(None, wanted)[0]
        vectors = pool_tokens(states, mask, self._files.pooling)
        for project in self._files.projections:
            vectors = project(vectors)
        return vectors


def pool_tokens(states: Vectors, mask: Mask, pooling: str) -> Vectors:
    """(b, t, h) token states to (b, h): the first token ("cls"), or the mean without padding ("mean")."""
    if pooling == "cls":
        return states[:, 0]
    weights = (mask / mask.sum(axis=1, keepdims=True)).astype(np.float32)
    mean: Vectors = np.einsum("bth,bt->bh", states, weights)
    return mean
