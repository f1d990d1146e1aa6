"""The ports that use cases of library and the applications work with; the composition root chooses them."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from sys import getsizeof
from typing import TYPE_CHECKING, Protocol

from chapterverse.accounts.store import SqlChoices
from chapterverse.core.book import Book, BookId, Box, Chunk, Collection, Limits
from chapterverse.core.errors import BadBook, BadRequest, EmbedderUnavailable, TooLarge
from chapterverse.core.ports import Bucket, Embedder, LexicalIndex, Reranker, TaskQueue, Uploads, VectorIndex
from chapterverse.core.recent import Recent
from chapterverse.core.tasks import TASK_ATTEMPTS
from chapterverse.library.artefacts import BookText, load_text
from chapterverse.library.chunks import ChunkText, SentenceVectors, load_chunk_text, load_chunks, load_sentence_vectors
from chapterverse.library.model import VersionKey
from chapterverse.library.text.chunking import SENTENCES, Chunker

if TYPE_CHECKING:
    from chapterverse.library.store import SqlCatalog


class Parser(Protocol):
    """A PDF's bytes to an addressed book."""

    def __call__(self, pdf: bytes, book: BookId, limits: Limits, progress: Callable[[int, int], None] | None = None) -> Book:
        """Parse the whole or refuse it; progress is told (pages done, pages in all). Raises BadBook, also beyond the limits."""


HighlightedPage = tuple[int, Sequence[Box]]

"""A page's index, and the boxes that are marked on it, in points from its top left."""

Drawing = bytes | TooLarge | BadBook

"""PNG of a page, or why there is none: beyond a number of pixels, or cannot_draw."""


class PageDrawer(Protocol):
    """Pages of a PDF to pictures."""

    def __call__(self, pdf: bytes, pages: Sequence[HighlightedPage], scale: float) -> list[Drawing]:
        """Each page as it is displayed, scale pixels a point, in the order given. One that cannot be drawn keeps no other from
        being drawn."""


class Printer(Protocol):
    """A page of HTML to a PDF."""

    def __call__(self, html: str) -> bytes:
        """All of it on sheets of paper, with its links; its headings are the outline. Raises TooLarge."""


class TextFinder(Protocol):
    """A file of a word processor, or a PDF, to its text."""

    def __call__(self, data: bytes) -> str:
        """Paragraphs, with an empty line between them. Raises BadRequest, which says what to do."""


@dataclass(frozen=True)
class CollectionServices:
    """Ports: which real thing stands behind each is composition's secret. They are those of one collection: its catalog, and
    the chunker by which its sources are cut into what is indexed. recent: what was lately read of the bucket;
    reranker: None where candidates are taken as
    the vectors order them; words: None where nothing is looked for by its words; other_words: a question in other words, None
    where it is looked for as it is; before: the embedder of schools whose books are still to be embedded anew, see
    reembedding.py; topics: that sources may be about, see topics.py; choices: what schools have set for themselves, None
    where they set nothing."""

    bucket: Bucket
    catalog: "SqlCatalog"
    index: VectorIndex
    embedder: Embedder
    parser: Parser
    recent: Recent = field(default_factory=Recent)
    reranker: Reranker | None = None
    words: LexicalIndex | None = None
    other_words: Callable[[str], Sequence[str]] | None = None
    collection: Collection = Collection.BOOKS
    chunker: Chunker = SENTENCES
    before: Embedder | None = None
    topics: tuple[str, ...] = ()
    choices: SqlChoices | None = None

    @property
    def models(self) -> tuple[str, ...]:
        """Available embedding models, the target model first."""
        return tuple(embedder.model for embedder in (self.embedder, self.before) if embedder)

    def using(self, model: str) -> "CollectionServices":
        """These services with that embedding model only. Raises EmbedderUnavailable for an unknown model."""
        for embedder in filter(None, (self.embedder, self.before)):
            if embedder.model == model:
                return replace(self, embedder=embedder, before=None)
        raise EmbedderUnavailable("no_embedder_of_model", model=model)

    def for_school(self, school: str) -> "CollectionServices":
        """These services with the embedding model that the school is searched with; the target model for a new school."""
        if self.before is None:
            return self
        searched = {book.active.key.model for book in self.catalog.books(school) if book.active}
        return self.using(next((model for model in self.models if model in searched), self.embedder.model))

    def key(self, school: str, book: BookId, version: str) -> VersionKey:
        """Key under which this collection stores the version."""
        return VersionKey(school, book, version, self.for_school(school).embedder.model, self.chunker.unit, self.collection)

    def chunks_of(self, key: VersionKey) -> ChunkText:
        """The chunks of a version that is not indexed by sentences. Raises NotFound."""
        return self.recent.get(("chunks", key), lambda: load_chunk_text(self.bucket, key))

    def sentences_of(self, key: VersionKey) -> SentenceVectors:
        """The vectors of the sentences of a version that is not indexed by sentences; none where none are kept."""
        return self.recent.get(("sentences", key), lambda: load_sentence_vectors(self.bucket, key))

    def text_of(self, key: VersionKey) -> BookText:
        """The text of a version. Raises NotFound."""
        return self.recent.get(("text", key), lambda: load_text(self.bucket, key))


@dataclass(frozen=True, slots=True)
class IndexedChunks:
    """What is indexed of a version, in reading order; nbytes: in memory, about."""

    chunks: list[Chunk]
    nbytes: int

    @classmethod
    def of(cls, bucket: Bucket, key: VersionKey) -> "IndexedChunks":
        """As they are kept. Raises NotFound."""
        chunks = load_chunks(bucket, key)
        return cls(chunks, sum(getsizeof(chunk.text) + getsizeof(chunk.sentences) for chunk in chunks))


@dataclass(frozen=True)
class Intake:
    """What taking in files needs that arrive by themselves. batch_sentences: sentences, or chunks, of one task of indexing;
    attempts: at a task, before its book is given up. others: those of the other collections."""

    services: CollectionServices
    uploads: Uploads
    queue: TaskQueue
    limits: Limits
    batch_sentences: int = 512
    attempts: int = TASK_ATTEMPTS
    others: "Mapping[Collection, Intake]" = field(default_factory=dict)

    def of(self, collection: Collection) -> "Intake":
        """The same for another collection. Raises BadRequest for one that is not kept here."""
        if collection is self.services.collection:
            return self
        if collection in self.others:
            return self.others[collection]
        raise BadRequest("collection_not_offered", collection=collection)

    def of_version(self, key: VersionKey) -> "Intake":
        """The same for the version's collection; for one beside, cut as the lectures' are."""
        own = self.of(key.collection)
        if not key.is_companion:
            return own
        chunker = self.of(Collection.LECTURES).services.chunker
        return replace(own, services=replace(own.services, chunker=chunker))

    def chunks(self, key: VersionKey) -> list[Chunk]:
        """What is indexed of a version, in reading order; remembered, because a version's tasks come one after the other, and
        its artefact takes a while to read. Raises NotFound."""
        return self.services.recent.get(("indexed", key), lambda: IndexedChunks.of(self.services.bucket, key)).chunks
