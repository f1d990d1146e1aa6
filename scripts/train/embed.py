"""Vectors of a corpus's sentences: vectors/SLUG.npy for each book of books/, rows of float16 of unit length.

    python -m scripts.train.embed CORPUS [--threads N]

A book whose vectors are newer than its text is left as it is, so that the same command goes on after a break."""

import argparse
from pathlib import Path

import numpy as np

from chapterverse.infrastructure.embedding.local import OnnxEmbedder, available_cores
from chapterverse.settings import Settings
from scripts.train.corpus import MODEL, Corpus


def without_vectors(folder: Path) -> list[str]:
    """Slugs of the books that have no vectors, or older ones than their text; shelf by shelf, so that a shelf is done early."""
    on_shelves = [slug for slugs in Corpus(folder).shelves.values() for slug in slugs]
    slugs = dict.fromkeys([*on_shelves, *sorted(file.stem for file in (folder / "books").glob("*.jsonl"))])
    return [slug for slug in slugs if _is_stale(folder / "books" / f"{slug}.jsonl", folder / "vectors" / f"{slug}.npy")]


def _is_stale(text: Path, vectors: Path) -> bool:
    return not vectors.exists() or vectors.stat().st_mtime < text.stat().st_mtime


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("corpus", type=Path)
    arguments.add_argument("--threads", type=int, default=available_cores())
    given = arguments.parse_args()
    embedder = OnnxEmbedder(MODEL, Settings().home / "models", threads=given.threads)
    (given.corpus / "vectors").mkdir(exist_ok=True)
    for slug in without_vectors(given.corpus):
        vectors = embedder.embed_passages([sentence.text for sentence in Corpus(given.corpus).book(slug)])
        part = given.corpus / "vectors" / f"{slug}.part.npy"
        np.save(part, vectors.astype(np.float16))
        part.replace(part.with_name(f"{slug}.npy"))
        print(f"{slug}: {len(vectors)} vectors", flush=True)


if __name__ == "__main__":
    main()
