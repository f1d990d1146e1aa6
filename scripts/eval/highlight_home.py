"""Add the typeset books to the home of the settings, parsed but without real vectors: nothing is searched, and embedding them
would take longer than the whole measurement. The model `no-model` gives every text the same vector.

    CHAPTERVERSE_HOME=build/pages python -m scripts.eval.highlight_home [SHARED]"""

import argparse
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from os import cpu_count
from pathlib import Path

import numpy as np

from chapterverse import composition
from chapterverse.composition.plans import limits
from chapterverse.core.book import Limits
from chapterverse.core.hits import Vectors
from chapterverse.library.intake import AddedBook, add_book
from chapterverse.library.services import CollectionServices
from chapterverse.settings import read_settings
from scripts.eval.shared import shared_folder


@dataclass(frozen=True)
class NoModel:
    """An Embedder to which all texts are the same."""

    model: str = "no-model"
    dimensions: int = 2

    def embed_passages(self, texts: Sequence[str]) -> Vectors:
        return np.tile(np.array([1, 0], np.float32), (len(texts), 1))

    embed_queries = embed_passages

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        return [len(text.split()) for text in texts]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("shared", nargs="?", type=Path, help="the shared folder")
    add_books(shared_folder(parser.parse_args().shared, "goldbooks/pdf"))


def add_books(gold: Path) -> None:
    """Add the books that are missing; each is parsed in its own process, as many at once as there are cores."""
    settings = read_settings()
    services, max_sizes = composition.compose(settings, NoModel()), limits(settings)
    add = partial(_added, school=settings.school, services=services, max_sizes=max_sizes)
    with ThreadPoolExecutor(cpu_count()) as pool:
        for added in pool.map(add, sorted(gold.glob("*.pdf"))):
            print(f"{added.book.id}: {added.outcome}", flush=True)


def _added(pdf: Path, *, school: str, services: CollectionServices, max_sizes: Limits) -> AddedBook:
    return add_book(pdf.read_bytes(), pdf.name, school, services, max_sizes)


if __name__ == "__main__":
    main()
