"""What a use case may use of the world; the composition root fills it in, tests build their own."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Protocol

from chapterverse.model import Book, BookId, Limits
from chapterverse.ports import Bucket, Catalog, Embedder, VectorIndex
from chapterverse.usecases.recent import Recent


class Parser(Protocol):
    """A PDF's bytes to an addressed book."""

    def __call__(self, pdf: bytes, book: BookId, limits: Limits, progress: Callable[[int, int], None] | None = None) -> Book:
        """Parse the whole or refuse it; progress is told (pages done, pages in all). Raises BadBook, also beyond the limits."""


@dataclass(frozen=True, slots=True)
class Services:
    """Ports: which real thing stands behind each is composition.py's secret. recent: what was lately read of the bucket."""

    bucket: Bucket
    catalog: Catalog
    index: VectorIndex
    embedder: Embedder
    parser: Parser
    recent: Recent = field(default_factory=Recent)
