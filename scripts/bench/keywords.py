"""What the keywords of a window take: KeyBERT as it comes, on our embedder, and as they are made in use.

    python -m scripts.bench.keywords TRANSCRIPT [--windows 100] [--model all-MiniLM-L6-v2]

Wall time, and processor time, which other programs on the machine lengthen less. Windows are looked up one by one, in order."""

import argparse
from collections.abc import Callable, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter, process_time

import numpy as np
from keybert import KeyBERT

from chapterverse.core.ports import Embedder
from chapterverse.infrastructure.embedding.onnx import OnnxEmbedder
from chapterverse.lectures.keybert_keywords import keybert_backend, keybert_chooser
from chapterverse.lectures.queries import Choose, Enricher, choose_keywords
from chapterverse.lectures.transcripts import read_transcript
from chapterverse.lectures.windows import all_windows

Keywords = Callable[[str], Sequence[str]]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("transcript", type=Path)
    parser.add_argument("--windows", type=int, default=100)
    parser.add_argument("--model", default="all-MiniLM-L6-v2")
    given = parser.parse_args()
    texts = [window.text for window in all_windows(read_transcript(given.transcript.read_bytes()))][: given.windows]
    with TemporaryDirectory() as folder:
        embedder = OnnxEmbedder(given.model, Path(folder))
        print(f"{len(texts)} windows, {given.model}\n")
        print("| | wall p50 | p95 | processor p50 | p95 |\n| --- | --- | --- | --- | --- |")
        measure("KeyBERT as it comes", plain(embedder), texts)
        measure("candidates in one clause, none kept", afresh(embedder), texts)
        measure("in use, KeyBERT's MMR", kept(embedder, keybert_chooser(embedder)), texts)
        measure("in use, MMR on arrays", kept(embedder, choose_keywords), texts)


def plain(embedder: Embedder) -> Keywords:
    model = KeyBERT(keybert_backend(embedder))
    how = {"keyphrase_ngram_range": (1, 2), "use_mmr": True, "top_n": 5}
    return lambda text: [word for word, _ in model.extract_keywords(text, **how)]


def afresh(embedder: Embedder) -> Keywords:
    return lambda text: Enricher().enrich([text], [], embedder)[0].keywords


def kept(embedder: Embedder, choose: Choose) -> Keywords:
    enricher = Enricher(choose)
    return lambda text: enricher.enrich([text], [], embedder)[0].keywords


def measure(name: str, keywords: Keywords, texts: Sequence[str]) -> None:
    keywords("the first is not measured")
    walls, cpus = [], []
    for text in texts:
        wall, cpu = perf_counter(), process_time()
        keywords(text)
        walls.append(1000 * (perf_counter() - wall))
        cpus.append(1000 * (process_time() - cpu))
    figures = [np.percentile(each, share) for each in (walls, cpus) for share in (50, 95)]
    print(f"| {name} | " + " | ".join(f"{each:.1f} ms" for each in figures) + " |", flush=True)


if __name__ == "__main__":
    main()
