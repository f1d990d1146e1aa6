"""What a use case may use of the world; the composition root fills it in, tests build their own."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from sys import getsizeof
from typing import Protocol

from chapterverse.model import Book, BookId, Box, Limits, VersionKey
from chapterverse.ports import Bucket, Catalog, Embedder, LexicalIndex, Likelihood, Reranker, TaskQueue, Uploads, VectorIndex
from chapterverse.usecases.artefacts import BookText, indexed, load_book, load_text
from chapterverse.usecases.recent import Recent


class Parser(Protocol):
    """A PDF's bytes to an addressed book."""

    def __call__(self, pdf: bytes, book: BookId, limits: Limits, progress: Callable[[int, int], None] | None = None) -> Book:
        """Parse the whole or refuse it; progress is told (pages done, pages in all). Raises BadBook, also beyond the limits."""


class PageDrawer(Protocol):
    """A page of a PDF to a picture."""

    def __call__(self, pdf: bytes, page_index: int, lit: Sequence[Box], scale: float) -> bytes:
        """PNG of the page as it is displayed, scale pixels a point, the boxes (in points, from its top left) marked.

        Raises TooLarge beyond a number of pixels, BadBook: cannot_draw."""


class Printer(Protocol):
    """A page of HTML to a PDF."""

    def __call__(self, html: str) -> bytes:
        """All of it on sheets of paper, with its links; its headings are the outline. Raises TooLarge."""


@dataclass(frozen=True)
class Services:
    """Ports: which real thing stands behind each is composition.py's secret. recent: what was lately read of the bucket;
    likelihood: of the model that chooses key sentences, None where vectors do; reranker: None where candidates are taken as
    the vectors order them; words: None where nothing is looked for by its words."""

    bucket: Bucket
    catalog: Catalog
    index: VectorIndex
    embedder: Embedder
    parser: Parser
    recent: Recent = field(default_factory=Recent)
    likelihood: Likelihood | None = None
    reranker: Reranker | None = None
    words: LexicalIndex | None = None

    def text_of(self, key: VersionKey) -> BookText:
        """The text of a version. Raises NotFound."""
        return self.recent.get(("text", key), lambda: load_text(self.bucket, key))


@dataclass(frozen=True, slots=True)
class IndexedTexts:
    """The sentences of a version that are indexed, in reading order; nbytes: in memory, about."""

    texts: tuple[str, ...]
    nbytes: int

    @classmethod
    def of(cls, bucket: Bucket, key: VersionKey) -> "IndexedTexts":
        """As they are kept. Raises NotFound."""
        texts = tuple(sentence.text for sentence in indexed(load_book(bucket, key)))
        return cls(texts, sum(map(getsizeof, texts)))


@dataclass(frozen=True)
class Intake:
    """What taking in files needs that arrive by themselves. batch_sentences: sentences of one task of indexing;
    attempts: at a task, before its book is given up."""

    services: Services
    uploads: Uploads
    queue: TaskQueue
    limits: Limits
    batch_sentences: int
    attempts: int

    def texts(self, key: VersionKey) -> Sequence[str]:
        """The sentences of a version that are indexed, in reading order; remembered, because a version's tasks come one after
        the other, and its artefact takes a while to read. Raises NotFound."""
        return self.services.recent.get(("sentences", key), lambda: IndexedTexts.of(self.services.bucket, key)).texts
