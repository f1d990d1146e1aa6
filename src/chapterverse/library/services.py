"""What the library and the applications on it work with: ports, and the services of one collection. The composition root fills
them in."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from sys import getsizeof
from typing import TYPE_CHECKING

from chapterverse.accounts.model import SchoolSettings
from chapterverse.core.book import Book, BookId, Chunk, Collection, Limits
from chapterverse.core.errors import BadRequest, reader_errors_as_ours
from chapterverse.core.hits import Granularity, Partition
from chapterverse.core.ports import Bucket, Embedder, ReadAnswers, TaskQueue, Uploads, VectorIndex
from chapterverse.core.recent import Recent
from chapterverse.core.tasks import TASK_ATTEMPTS
from chapterverse.core.turns import Turns
from chapterverse.library import artefacts
from chapterverse.library import chunks as chunking
from chapterverse.library.model import VersionKey

if TYPE_CHECKING:
    from chapterverse.accounts.store import SqlSchoolSettings
    from chapterverse.infrastructure.llm.readers import CrossEncoderReranker
    from chapterverse.infrastructure.vectors.bucket import BucketWords
    from chapterverse.library.store import SqlCatalog


Parser = Callable[[bytes, BookId, Limits, Callable[[int, int], None] | None], Book]
"""Turns a file's bytes into an addressed book, within the limits; the last argument is called with pages done and pages in all.
Raises BadBook."""


@reader_errors_as_ours()
def parsed(data: bytes, book: BookId, limits: Limits, progress: Callable[[int, int], None] | None = None) -> Book:
    """The file as a book, read in a sandbox. Raises BadBook, RecognitionElsewhere: see bookreader's parse_in_sandbox."""
    from bookreader.reading import parse_in_sandbox

    return parse_in_sandbox(data, book, limits, progress)


@reader_errors_as_ours()
def as_pdf(data: bytes, limits: Limits) -> bytes:
    """An e-book as a PDF, made in a sandbox; anything else as it is. Raises BadBook."""
    from bookreader.reading import as_pdf_in_sandbox

    return as_pdf_in_sandbox(data, limits)


@reader_errors_as_ours()
def refuse_too_large(size: int, limits: Limits) -> None:
    """Raises BadBook: too_many_bytes. size: of the file, in bytes."""
    from bookreader import source

    source.refuse_too_large(size, limits)


Printer = Callable[[str], bytes]
"""A page of HTML → a PDF with all links; the page's headings are its outline. Raises TooLarge."""

TextFinder = Callable[[bytes], str]
"""A word processor's file or a PDF → its paragraphs, with empty lines between. Raises BadRequest, which says what to do."""


PROBE = Partition("ready", Granularity.SENTENCE, "ready")  # of no school


@dataclass(frozen=True)
class CollectionServices:
    """The ports of one collection, and its catalog and chunker.

    recent: cache of what was read from the bucket. reranker: None: candidates keep the order of their vectors. words: keyword
    index; None: no keyword search. read_answers: reads a question and passages together; None: they are compared by vectors and
    words alone. school_settings: the schools' own settings; None: there are none."""

    bucket: Bucket
    catalog: "SqlCatalog"
    index: VectorIndex
    embedder: Embedder
    parser: Parser
    recent: Recent = field(default_factory=Recent)
    reranker: "CrossEncoderReranker | None" = None
    words: "BucketWords | None" = None
    read_answers: ReadAnswers | None = None
    collection: Collection = Collection.BOOKS
    chunker: chunking.Chunker = chunking.SENTENCES
    school_settings: "SqlSchoolSettings | None" = None

    def reach(self) -> None:
        """Raises CatalogUnavailable or IndexUnavailable if one of them is away."""
        self.catalog.books(PROBE.school)
        self.index.count(PROBE, "ready")

    def settings_of(self, school: str) -> SchoolSettings:
        """The school's own settings; a field is None if the school has not set it. Raises CatalogUnavailable."""
        return SchoolSettings.of(self.school_settings.of_school(school)) if self.school_settings else SchoolSettings()

    def key(self, school: str, book: BookId, version: str) -> VersionKey:
        """The key under which this collection stores the version."""
        return VersionKey(school, book, version, self.embedder.model, self.chunker.unit, self.collection)

    def chunks_of(self, key: VersionKey) -> chunking.ChunkText:
        """The chunks of a version that is not indexed by sentences. Raises NotFound."""
        name = chunking.chunks_name(key)
        return self.recent.get(("chunks", key), lambda: chunking.ChunkText(artefacts.load_lines(self.bucket, name, "chunks")))

    def sentences_of(self, key: VersionKey) -> chunking.SentenceVectors:
        """The sentence vectors of a version that is not indexed by sentences; empty if none are stored."""
        return self.recent.get(("sentences", key), lambda: chunking.load_sentence_vectors(self.bucket, key))

    def text_of(self, key: VersionKey) -> artefacts.BookText:
        """The text of a version. Raises NotFound."""
        return self.recent.get(("text", key), lambda: artefacts.load_text(self.bucket, key))

    def context_of(self, key: VersionKey) -> artefacts.BookContext:
        """The context of a version that is indexed by sentences. Raises NotFound."""
        return self.recent.get(("context", key), lambda: artefacts.load_context(self.bucket, key))

    def fingerprint_of(self, key: VersionKey) -> artefacts.Fingerprint:
        """The fingerprint of such a version. Raises NotFound."""
        return self.recent.get(("words", key), lambda: artefacts.load_fingerprint(self.bucket, key))


@dataclass(frozen=True)
class Intake:
    """What receiving files and their tasks needs. batch_sentences: chunks of one index task. attempts: deliveries of a task
    before its source is given up. collections: the services of each. turns: of the schools at the processor."""

    services: CollectionServices
    uploads: Uploads
    queue: TaskQueue
    limits: Limits
    batch_sentences: int
    attempts: int = TASK_ATTEMPTS
    collections: Mapping[Collection, CollectionServices] = field(default_factory=dict)
    turns: Turns = field(default_factory=Turns)

    def of(self, collection: Collection) -> "Intake":
        """The intake of a collection. Raises BadRequest if the collection is not offered."""
        if collection is self.services.collection:
            return self
        if collection in self.collections:
            return replace(self, services=self.collections[collection])
        raise BadRequest("collection_not_offered", collection=collection)

    def of_each(self) -> "list[Intake]":
        """The intakes of all collections."""
        return [self.of(collection) for collection in self.collections]

    def recognizing_for(self, seconds: float) -> "Intake":
        """The same intake with other limits.recognition_seconds."""
        return replace(self, limits=replace(self.limits, recognition_seconds=seconds))

    def chunks(self, key: VersionKey) -> list[Chunk]:
        """The chunks of a version in reading order. Raises NotFound.

        Cached, because a version's tasks follow each other and its chunks take a while to read."""

        def bytes_of(chunks: list[Chunk]) -> int:
            return sum(getsizeof(chunk.text) + getsizeof(chunk.sentences) for chunk in chunks)

        return self.services.recent.get(("indexed", key), lambda: chunking.load_chunks(self.services.bucket, key), bytes_of)
