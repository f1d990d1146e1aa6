"""The books that training reads: one file of sentences a book, shelves of books, vectors of the embedding model.

A corpus is a folder: books/SLUG.jsonl, vectors/SLUG.npy, shelves.json. The books are not in this repository: data/README.md
tells how to make it. Judgements name a sentence by book, number and a digest."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np

from chapterverse.core.hits import Vectors
from chapterverse.core.names import fingerprint

MODEL = "sentence-transformers/all-MiniLM-L6-v2"  # of the vectors, and what the trainings begin with


@dataclass(frozen=True, slots=True)
class BookSentence:
    """A sentence of a book. number: its place in the book, from 0. paragraph: number of its paragraph in the book."""

    book: str
    number: int
    chapter: str
    paragraph: int
    text: str

    @property
    def id(self) -> str:
        return f"{self.book}:{self.number}"

    @property
    def digest(self) -> str:
        """Changes with the text, so that a judgement is never applied to another edition's sentence."""
        return fingerprint(self.text, digits=8)


@dataclass(frozen=True)
class Corpus:
    """The folder of a corpus."""

    folder: Path

    @cached_property
    def shelves(self) -> Mapping[str, Sequence[str]]:
        """Slugs of the books on each shelf."""
        shelves: dict[str, list[str]] = json.loads((self.folder / "shelves.json").read_text("utf-8"))
        return shelves

    def book(self, slug: str) -> list[BookSentence]:
        """The sentences of a book in reading order."""
        with (self.folder / "books" / f"{slug}.jsonl").open(encoding="utf-8") as lines:
            rows = [json.loads(line) for line in lines]
        return [BookSentence(slug, row["n"], row["chapter"], row["paragraph"], row["text"]) for row in rows]

    def vectors(self, slug: str) -> Vectors:
        """The vectors of a book's sentences, unit norm."""
        return np.asarray(np.load(self.folder / "vectors" / f"{slug}.npy"), np.float32)
