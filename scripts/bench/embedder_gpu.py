"""Sentences a second through our embedder on a GPU, beside plain sentence-transformers in the same run.

    python -m scripts.bench.embedder_gpu [--device cuda] [--sentences 50000]     (extra gpu)

The sentences are those of samples/on-liberty.pdf, over and over, each with a number of its own. Plain:
SentenceTransformer.encode with the batch size named, in the precision that ours has on that device and in fp32. Ours:
SentenceTransformersEmbedder alone, and through the lanes as the embedder's service runs it, 512 sentences a task from four
threads, with the online latency of one essay beside them. What differs is checked: the cosine of each vector to the plain fp32
one. Without a GPU it runs on the CPU, and says so."""

import argparse
import platform
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from itertools import count, cycle, islice
from pathlib import Path
from threading import Event

import numpy as np
import torch
from sentence_transformers import SentenceTransformer

from bookreader.pdf.parse import parse_book
from chapterverse.core.book import BookId, Kind
from chapterverse.core.hits import Vectors
from chapterverse.core.ports import Embedder
from chapterverse.essays.queries import texts_to_embed
from chapterverse.essays.text.parse import parse_essay
from chapterverse.infrastructure.embedding.batching import BatchingEmbedder
from chapterverse.infrastructure.embedding.model_files import find_model
from chapterverse.infrastructure.embedding.sentence_transformers_embedder import (
    CPU_BATCH_TOKENS,
    GPU_BATCH_TOKENS,
    SentenceTransformersEmbedder,
)

ROOT = Path(__file__).parents[2]
TASK = 512
Embed = Callable[[Sequence[str]], Vectors]


def sentences(wanted: int) -> list[str]:
    book = parse_book((ROOT / "samples/on-liberty.pdf").read_bytes(), BookId("bench"))
    texts = (sentence.text for sentence in cycle(s for s in book.sentences if s.kind is Kind.SENTENCE))
    return [f"{text} {number}" for number, text in zip(count(), islice(texts, wanted), strict=False)]


def plain(model: str, device: str, size: int, *, half: bool) -> Embed:
    network = SentenceTransformer(str(find_model(model).folder), device=device, local_files_only=True)
    network.max_seq_length = find_model(model).window
    network = network.half() if half else network
    return partial(network.encode, batch_size=size, normalize_embeddings=True, show_progress_bar=False)


def measure(name: str, embed: Embed, texts: Sequence[str], exact: Vectors | None) -> Vectors:
    """Prints the rate; the first call, which loads and warms up, is not in it."""
    embed(texts[:TASK])
    began = time.perf_counter()
    vectors = np.asarray(embed(texts), np.float32)
    rate = len(texts) / (time.perf_counter() - began)
    cosine = "" if exact is None else f", cosine to fp32 {(vectors * exact).sum(axis=1).min():.5f} at least"
    print(f"{name:56} {rate:9.0f} sentences/s{cosine}", flush=True)
    return vectors


def in_tasks(embedder: Embedder, texts: Sequence[str]) -> Vectors:
    tasks = [texts[start : start + TASK] for start in range(0, len(texts), TASK)]
    with ThreadPoolExecutor(4) as threads:
        return np.concatenate(list(threads.map(embedder.embed_passages, tasks)))


def essays_until(done: Event, embedder: Embedder, essay: Sequence[str]) -> list[float]:
    taken = []
    while not done.is_set():
        began = time.perf_counter()
        embedder.embed_queries(essay)
        taken.append(1000 * (time.perf_counter() - began))
        done.wait(0.02)
    return taken


def through_lanes(embedder: Embedder, budget: int, texts: Sequence[str], exact: Vectors) -> None:
    essay, done = texts_to_embed(parse_essay((ROOT / "samples/essay.md").read_text("utf-8"))), Event()
    lanes = BatchingEmbedder(embedder, budget, max_queued_texts=20_000)
    measure(f"ours through the lanes, pieces of {budget} tokens", partial(in_tasks, lanes.bulk), texts, exact)
    with ThreadPoolExecutor(1) as student:
        asking = student.submit(essays_until, done, lanes.online, essay)
        measure("  the same while a student asks again and again", partial(in_tasks, lanes.bulk), texts, exact)
        done.set()
    p50, p95 = np.percentile(asking.result(), [50, 95])
    print(f"  an essay of {len(essay)} texts meanwhile: p50 {p50:.1f} p95 {p95:.1f} ms", flush=True)
    lanes.close()


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--model", default="all-MiniLM-L6-v2", help="name or folder")
    arguments.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    arguments.add_argument("--sentences", type=int, help="default: 50,000 on a GPU, 500 on the CPU")
    arguments.add_argument("--batch", type=int, nargs="*", default=[32, 256], help="batch sizes of plain sentence-transformers")
    given = arguments.parse_args()
    on_gpu = given.device.startswith("cuda")
    texts = sentences(given.sentences or (50_000 if on_gpu else 500))
    name = torch.cuda.get_device_name(given.device) if on_gpu else f"the CPU ({platform.machine()}): THIS IS NO FIGURE OF A GPU"
    print(f"{len(texts):,} sentences, {given.model}, torch {torch.__version__} on {name}", flush=True)
    exact = None
    for size in given.batch:
        exact = measure(
            f"sentence-transformers fp32, batch {size}", plain(given.model, given.device, size, half=False), texts, exact
        )
        if on_gpu:
            measure(
                f"sentence-transformers fp16, batch {size}", plain(given.model, given.device, size, half=True), texts, exact
            )
    ours = SentenceTransformersEmbedder(given.model, given.device)
    assert exact is not None
    measure(f"ours, {'fp16' if on_gpu else 'fp32'}", ours.embed_passages, texts, exact)
    through_lanes(ours, GPU_BATCH_TOKENS if on_gpu else CPU_BATCH_TOKENS, texts, exact)


if __name__ == "__main__":
    main()
