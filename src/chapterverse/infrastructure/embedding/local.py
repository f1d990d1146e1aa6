"""Embedders in this process: on ONNX Runtime, or on sentence-transformers (extra `gpu`). What they share, so that their vectors
agree: tokenizer, windows, batches, pooling.

A long text is embedded in equal, overlapping windows, and its vector is their mean at unit length: its beginning, middle and
end are found alike, where full windows and a remainder favour the end, and one window alone the beginning."""

import os
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import cached_property, partial
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from tokenizers import Tokenizer

from chapterverse.core.errors import EmbedderUnavailable, ModelUnavailable
from chapterverse.core.hits import Vectors, unit
from chapterverse.infrastructure.embedding.bert_onnx import graph_file
from chapterverse.infrastructure.embedding.model_files import ModelFiles, find_model, model_name, pin_of, plain_name

Tokens = list[int]
Ids = NDArray[np.int64]  # (b, t): token ids, 0 where padded
Mask = NDArray[np.int64]  # (b, t): 1 for a token, 0 for padding


def plan_windows(tokens: int, size: int, overlap: int) -> list[tuple[int, int]]:
    """Bounds of the fewest equal windows covering `tokens` with `overlap`; equal, so that their mean weighs all tokens alike.

    Each is [start, end). One window, perhaps empty, for a text that fits. 0 <= overlap < size."""
    if tokens <= size:
        return [(0, tokens)]
    count = -(-(tokens - overlap) // (size - overlap))
    length = -(-(tokens + (count - 1) * overlap) // count)
    starts = [round(i * (tokens - length) / (count - 1)) for i in range(count)]
    return [(start, start + length) for start in starts]


def plan_batches(lengths: Sequence[int], budget: int) -> list[list[int]]:
    """Indices in batches of similar length, longest first, each at most `budget` tokens when padded.

    Padding costs as much as text, so sorting halves the time of a book. A single text beyond the budget is its own batch."""
    batches: list[list[int]] = []
    for i in sorted(range(len(lengths)), key=lambda i: -lengths[i]):
        if batches and lengths[batches[-1][0]] * (len(batches[-1]) + 1) <= budget:
            batches[-1].append(i)
        else:
            batches.append([i])
    return batches


def plan_rounds(lengths: Sequence[int], budget: int, at_once: int) -> list[list[int]]:
    """As plan_batches, but the smallest batches that take no more rounds of at_once batches: else cores idle in the last."""
    plan = plan_batches(lengths, budget)
    places = -(-len(plan) // at_once) * at_once
    least = max(SMALL_BATCH, -(-sum(lengths) // max(places, 1)), max(lengths, default=0))
    even = (plan_batches(lengths, tokens) for tokens in range(least, budget, SMALL_BATCH // 4))
    return plan if at_once == 1 else next((each for each in even if len(each) <= places), plan)


def pad(sequences: Sequence[Tokens]) -> tuple[Ids, Mask]:
    """The sequences as one array, padded on the right, and its mask."""
    lengths = np.array([len(tokens) for tokens in sequences])
    used = np.arange(lengths.max()) < lengths[:, None]
    ids = np.zeros(used.shape, np.int64)
    ids[used] = np.fromiter(chain.from_iterable(sequences), np.int64, lengths.sum())
    return ids, used.astype(np.int64)


def embed_batches(
    sequences: Sequence[Tokens], run: Callable[[Ids, Mask], Vectors], dimensions: int, budget: int, at_once: int = 1
) -> Vectors:
    """A unit vector for each sequence, (n, d), in order. at_once: batches that run at the same time, each in a thread."""
    vectors = np.empty((len(sequences), dimensions), np.float32)

    def embed(batch: list[int]) -> None:
        vectors[batch] = unit(run(*pad([sequences[i] for i in batch])))

    with ThreadPoolExecutor(at_once) as threads:
        for _ in threads.map(embed, plan_rounds([len(tokens) for tokens in sequences], budget, at_once)):
            pass  # raise errors of batches
    return vectors


def pool(vectors: Vectors, counts: Sequence[int]) -> Vectors:
    """The mean of each text's window vectors at unit length, (n, d). counts: windows of each text, at least 1, in order."""
    firsts = np.cumsum([0, *counts[:-1]])
    return unit(np.add.reduceat(vectors, firsts, axis=0)) if len(counts) else vectors


@dataclass(frozen=True)
class WindowedModel:
    """A model with its tokenizer; texts longer than its window are embedded in windows.

    run: (b, t) token ids and mask to (b, d) vectors of any length. window: tokens the model takes, special ones included.
    batch_tokens: padded tokens of one batch. at_once: batches that `run` may get at the same time.
    overlap: minimum share of a window that the next one repeats."""

    tokenizer: Tokenizer
    window: int
    dimensions: int
    batch_tokens: int
    run: Callable[[Ids, Mask], Vectors]
    at_once: int = 1
    overlap: float = 0.125

    def embed(self, texts: Sequence[str], prefix: str = "") -> Vectors:
        """(n, d) float32, unit norm. Each window of a long text has the prefix."""
        first, *last = self.tokenizer.encode("").ids  # as in BERT: [CLS] text [SEP]
        before = [first, *tokens_of(self.tokenizer, [prefix])[0]]
        bodies = tokens_of(self.tokenizer, texts)
        room = self.window - len(before) - len(last)
        plans = [plan_windows(len(body), room, int(room * self.overlap)) for body in bodies]
        windows = [[body[start:end] for start, end in plan] for body, plan in zip(bodies, plans, strict=True)]
        sequences = [[*before, *window, *last] for window in chain.from_iterable(windows)]
        vectors = embed_batches(sequences, self.run, self.dimensions, self.batch_tokens, self.at_once)
        return pool(vectors, [len(plan) for plan in plans])


def tokens_of(tokenizer: Tokenizer, texts: Sequence[str]) -> list[Tokens]:
    """Token ids of each text, without special tokens."""
    valid = [text.encode("utf-8", "replace").decode() for text in texts]  # the tokenizer refuses half a surrogate pair
    return [encoding.ids for encoding in tokenizer.encode_batch(valid, add_special_tokens=False)]


def open_tokenizer(folder: Path, model: str) -> Tokenizer:
    """The tokenizer in a model's folder without its own padding and truncation: MiniLM's tokenizer.json cuts every text at 128
    tokens. Raises ModelUnavailable."""
    path = folder / "tokenizer.json"
    try:
        tokenizer = Tokenizer.from_file(str(path))
    except Exception as error:  # the library raises nothing narrower
        raise ModelUnavailable("model_file_unreadable", file=path, model=model) from error
    tokenizer.no_padding()
    tokenizer.no_truncation()
    return tokenizer


@dataclass(frozen=True)
class LocalEmbedder(ABC):
    """Base of an Embedder in this process. name: of a model or its folder; nothing is loaded before the first vector.
    is_centred: whether a centre in the folder is used (search/evaluation.py)."""

    name: str
    is_centred: bool = field(default=True, kw_only=True)

    @cached_property
    def model(self) -> str:
        return model_name(self.name) if self.is_centred else plain_name(self.name)

    def embed_passages(self, texts: Sequence[str]) -> Vectors:
        return self._embed(texts, self._files.passage_prefix)

    def embed_queries(self, texts: Sequence[str]) -> Vectors:
        return self._embed(texts, self._files.query_prefix)

    def _embed(self, texts: Sequence[str], prefix: str) -> Vectors:
        vectors, centre = self.windowed.embed(texts, prefix), self._files.centre
        return vectors if centre is None or not self.is_centred else unit(vectors - centre)

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        return [len(tokens) for tokens in tokens_of(self._tokenizer, texts)]

    @property
    def pin(self) -> str:
        """The name that keeps to these weights, where the given one means the newest on the hub; else empty."""
        return pin_of(self.name, self._files)

    @cached_property
    def windowed(self) -> WindowedModel:
        """The loaded model. Call it once before threads share the embedder, or each of them loads it."""
        with ThreadPoolExecutor(1) as threads:
            checked = threads.submit(self._files.check, weights=False)  # a graph in the cache was made of the right ones
            model, _ = self._load(), checked.result()
        return model

    @abstractmethod
    def _load(self) -> WindowedModel:
        """Load the model. Raises ModelUnavailable."""

    @cached_property
    def _tokenizer(self) -> Tokenizer:
        return open_tokenizer(self._files.folder, self._files.name)

    @cached_property
    def _files(self) -> ModelFiles:
        return find_model(self.name, check=False)


BATCH_TOKENS, SMALL_BATCH = 384, 64  # padded tokens of a batch, from the lower to the upper of which a CPU is equally fast


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

    def _load(self) -> WindowedModel:
        run = partial(self._run, session_of_one_thread(graph_file(self._files, self.cache)))
        projections = self._files.projections
        dimensions = len(projections[-1].bias) if projections else int(self._files.config["hidden_size"])
        return WindowedModel(self._tokenizer, self._files.window, dimensions, BATCH_TOKENS, run, self.threads)

    def _run(self, session: Any, ids: Ids, mask: Mask) -> Vectors:
        known = {"input_ids": ids, "attention_mask": mask, "token_type_ids": np.zeros_like(ids)}
        wanted = {given.name: known[given.name] for given in session.get_inputs()}
        states: Vectors = session.run(None, wanted)[0]  # (b, t, h)
        if self._files.pooling == "cls":
            vectors = states[:, 0]
        else:  # the mean without padding
            weights = (mask / mask.sum(axis=1, keepdims=True)).astype(np.float32)
            vectors = np.einsum("bth,bt->bh", states, weights)
        for project in self._files.projections:
            vectors = project(vectors)
        return vectors


GPU_BATCH_TOKENS = 32_768  # padded tokens of a batch
CPU_BATCH_TOKENS = 1024


@dataclass(frozen=True)
class SentenceTransformersEmbedder(LocalEmbedder):
    """Embedder with fp16 on a GPU, fp32 on the CPU; its vectors are those of OnnxEmbedder (cosine >= 0.999).

    device: as torch calls it ("cuda", "cpu"), None for the best available."""

    device: str | None = None

    def _load(self) -> WindowedModel:
        dimensions = int(self._network.get_embedding_dimension())
        batch_tokens = GPU_BATCH_TOKENS if self._network.device.type == "cuda" else CPU_BATCH_TOKENS
        return WindowedModel(self._tokenizer, self._files.window, dimensions, batch_tokens, self._run)

    @cached_property
    def _network(self) -> Any:
        try:
            import torch
            from sentence_transformers import SentenceTransformer
        except ImportError as error:
            raise ModelUnavailable("sentence_transformers_missing") from error
        self._files.check()
        torch.backends.cuda.enable_cudnn_sdp(False)  # it builds a plan for each new shape: ten times as long for one text
        try:
            network = SentenceTransformer(str(self._files.folder), device=self.device, local_files_only=True)
        except Exception as error:  # its errors have no base of their own
            raise ModelUnavailable("model_files_not_loaded", model=self.model) from error
        return network.half() if network.device.type == "cuda" else network

    def _run(self, ids: Ids, mask: Mask) -> Vectors:
        import torch

        device = self._network.device
        features = {"input_ids": torch.from_numpy(ids).to(device), "attention_mask": torch.from_numpy(mask).to(device)}
        try:
            with torch.inference_mode():
                vectors: Vectors = self._network(features)["sentence_embedding"].float().cpu().numpy()
        except torch.OutOfMemoryError as error:
            raise EmbedderUnavailable("gpu_memory_full") from error
        return vectors
