"""Vectors of a GPU beside those of ONNX Runtime on a processor, and how fast the GPU makes them by size of its batches.

    python -m scripts.bench.gpu MODEL TEXTS VECTORS

MODEL: a model's folder; TEXTS: a file with a text a line; VECTORS: what ONNX Runtime makes of them (.npy), written if it is not
there, so that it can come from another machine. Needs the extra `gpu` and a GPU."""

import argparse
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from tempfile import gettempdir

import numpy as np

from chapterverse.core.hits import Vectors
from chapterverse.infrastructure.embedding.local import (
    GPU_BATCH_TOKENS,
    OnnxEmbedder,
    SentenceTransformersEmbedder,
    WindowedModel,
)

SIZES = (1_024, 4_096, 8_192, 16_384, GPU_BATCH_TOKENS, 65_536, 131_072)  # padded tokens of a batch
COMPARED = 2_000  # texts whose nearest other text is looked for
SINGLE = 200  # texts embedded one by one


def seconds(act: Callable[[], object]) -> float:
    began = time.perf_counter()
    act()
    return time.perf_counter() - began


def timed(model: WindowedModel, texts: list[str]) -> tuple[float, float]:
    """Seconds in all, and of these in the network, the way of its input and output to and from the GPU included."""
    inside = list[float]()

    def run(ids: np.ndarray, mask: np.ndarray) -> Vectors:
        began = time.perf_counter()
        vectors = model.run(ids, mask)
        inside.append(time.perf_counter() - began)
        return vectors

    return seconds(lambda: replace(model, run=run).embed(texts)), sum(inside)


def nearest(vectors: Vectors) -> np.ndarray:
    """For each of the first texts the row of the nearest other one."""
    cosines = vectors[:COMPARED] @ vectors.T
    cosines[np.arange(len(cosines)), np.arange(len(cosines))] = -1
    return np.asarray(cosines.argmax(axis=1))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ("model", "texts", "vectors"):
        parser.add_argument(name, type=Path)
    given = parser.parse_args()
    texts = given.texts.read_text("utf-8").splitlines()
    if not given.vectors.exists():
        on_processor = OnnxEmbedder(str(given.model), Path(gettempdir()))
        np.save(given.vectors, on_processor.embed_passages(texts))
    theirs = np.load(given.vectors)

    import torch

    embedder = SentenceTransformersEmbedder(str(given.model), "cuda")
    first = seconds(lambda: embedder.embed_queries(["a"]))
    print(f"{torch.cuda.get_device_name()}, {len(texts):,} texts; first vector {first:.1f} s")
    ours = embedder.embed_passages(texts)
    cosines = (ours * theirs).sum(axis=1)
    same = (nearest(ours) == nearest(theirs)).mean()
    print(f"cosine to ONNX Runtime: lowest {cosines.min():.5f}, mean {cosines.mean():.6f}; same nearest text {same:.4f}")
    one = [1000 * seconds(lambda text=text: embedder.embed_queries([text])) for text in texts[:SINGLE]]  # type: ignore[misc]
    print(f"one text: {np.median(one):.1f} ms, p95 {np.quantile(one, 0.95):.1f}\n")
    print("| tokens a batch | texts a second | share of the time in the network | GPU memory, MiB |\n|---|---|---|---|")
    for size in SIZES:
        torch.cuda.reset_peak_memory_stats()
        whole, inside = min(timed(replace(embedder.windowed, batch_tokens=size), texts) for _ in range(3))
        memory = torch.cuda.max_memory_allocated() / 2**20
        print(f"| {size:,} | {len(texts) / whole:,.0f} | {inside / whole:.2f} | {memory:,.0f} |", flush=True)


if __name__ == "__main__":
    main()
