"""The typeset books in the home of the settings as pages need them: read and addressed. Nothing is looked for among them, and
embedding them would take longer than all that is measured, so they get vectors that say nothing, by a model called so.

    CHAPTERVERSE_HOME=build/pages python -m scripts.eval.lit_home [SHARED]"""

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
    shelve(shared_folder(parser.parse_args().shared, "goldbooks/pdf"))


def shelve(gold: Path) -> None:
    """Add what is not there yet; each book is read in a process of its own, as many at once as there are cores."""
    settings = read_settings()
    services, most = composition.compose(settings, NoModel()), limits(settings)
    add = partial(_added, school=settings.school, services=services, most=most)
    with ThreadPoolExecutor(cpu_count()) as pool:
        for added in pool.map(add, sorted(gold.glob("*.pdf"))):
            print(f"{added.book.id}: {added.outcome}", flush=True)


def _added(pdf: Path, *, school: str, services: CollectionServices, most: Limits) -> AddedBook:
    return add_book(pdf.read_bytes(), pdf.name, school, services, most)


if __name__ == "__main__":
    main()
