"""The steps of a version from a file to being searched: parse, chunk, index, finish, remove.

receive in intake.py takes the steps in turn. A version is indexed by tasks (IndexByTasks in tasks.py) or in this process
(IndexHere). Its source is claimed meanwhile.

The order of writes makes a kill harmless: artefacts are written before vectors are indexed, a version is activated when
everything it needs is stored, and the version that it replaces is removed last. Two files of the same bytes are two sources
with the same vectors, which are in the index once; these vectors are claimed too before they are written or removed.
A call that was killed is finished by repeating it."""

import gc
import logging
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from enum import StrEnum
from itertools import dropwhile
from pathlib import PurePath
from traceback import clear_frames
from typing import TYPE_CHECKING, Protocol, TypeVar

from bookreader.book import title_of_file
from chapterverse.core.book import Book, BookId, Chunk, Limits
from chapterverse.core.errors import BadBook, BookBusy, NotFound
from chapterverse.core.hits import Vectors
from chapterverse.core.names import fingerprint, slug
from chapterverse.core.ports import Bucket, Uploads
from chapterverse.library.artefacts import (
    book_folder,
    load_book,
    load_vectors,
    save_book,
    source_name,
    vectors_name,
    version_folder,
)
from chapterverse.library.chunks import chunks_name, is_by_sentences, load_chunks, save_chunks
from chapterverse.library.contexts import context_name
from chapterverse.library.corrections import corrected_book, note_topics
from chapterverse.library.indexing import EmbeddedBatch, embed_batch, fill_index, known_vectors, remove_parts, store_batches
from chapterverse.library.model import BookVersion, CatalogBook, VersionKey, VersionState, folder_of
from chapterverse.library.services import CollectionServices
from chapterverse.messages import message

if TYPE_CHECKING:
    from chapterverse.library.store import SqlCatalog


Artefact = TypeVar("Artefact")
log = logging.getLogger(__name__)


def book_id_of(file_name: str) -> BookId:
    """The slug of the file's name with its folders, without its ending."""
    return BookId(slug(str(PurePath(file_name).with_suffix(""))))


def book_of(file_name: str, books: Sequence[CatalogBook]) -> BookId:
    """The id of the source that a file of this name is or becomes, among the school's sources.

    Another file of the same name is a new version. If a similar name ("UPPER.PDF", "upper.pdf") has the plain id, the id is
    longer."""
    plain = book_id_of(file_name)
    of_names = {book.file_name: book.id for book in books}
    taken = any(book.id == plain for book in books)
    return of_names.get(file_name) or (BookId(f"{plain}-{fingerprint(file_name)}") if taken else plain)


@contextmanager
def claimed_book(file_name: str, school: str, catalog: "SqlCatalog") -> Iterator[BookId]:
    """The id of the file's source, claimed until the block ends. Raises BookBusy."""
    book = book_of(file_name, catalog.books(school))
    with catalog.claim(school, book):
        if book_of(file_name, catalog.books(school)) != book:
            raise BookBusy("book_name_taken_meanwhile")
        yield book


def stored(load: Callable[[Bucket, VersionKey], Artefact], key: VersionKey, services: CollectionServices) -> Artefact | None:
    """The artefact stored by an earlier, unfinished call; None if there is none."""
    try:
        return load(services.bucket, key)
    except NotFound:
        return None


def parse_version(
    key: VersionKey,
    data: bytes,
    services: CollectionServices,
    limits: Limits,
    progress: Callable[[int, int], None] | None = None,
) -> Book:
    """The stored book; parsed first if it is not stored yet. Raises BadBook, recorded on the version."""
    services.catalog.parsing(key)
    book = stored(load_book, key, services)
    if book is None:
        try:
            book = services.parser(data, key.book, limits, progress)
        except BadBook as error:
            services.catalog.failed(key, error.reason, error.message)
            raise
        services.bucket.write(source_name(key), data)
        save_book(services.bucket, key, book)
    return book


def chunk_version(key: VersionKey, book: Book, services: CollectionServices) -> list[Chunk]:
    """The stored chunks; made first if they are not stored yet. Raises as the embedder does, which counts tokens."""
    with suppress(NotFound):
        return load_chunks(services.bucket, key, book)
    chunks = services.chunker(book)
    save_chunks(services.bucket, key, chunks)
    return chunks


class Stage(StrEnum):
    """Step of adding a source."""

    PARSING = "parsing"
    EMBEDDING = "embedding"
    INDEXING = "indexing"


Progress = Callable[[Stage, int, int], None]
"""Called with the stage, the amount done and the total: pages for PARSING, else chunks."""


def no_progress(_stage: Stage, _done: int, _total: int) -> None:
    """Report nothing."""


class Indexing(Protocol):
    """How a parsed version gets into the index: by tasks (IndexByTasks in tasks.py) or in this process (IndexHere)."""

    def batches(self, chunks: int) -> int:
        """Number of tasks that will index so many chunks; 0 without tasks."""

    def resume(self, version: BookVersion) -> bool:
        """Continue the indexing of a version whose chunks are stored; whether that is all there is to do."""

    def run(self, key: VersionKey, book: Book, chunks: list[Chunk], services: CollectionServices) -> None:
        """Index the version and activate it, now or by tasks. Raises as finish_version does."""


EMBED_AT_ONCE = 256  # chunks between two reports of progress

Share = Callable[[VersionKey], None]
"""Gives a version to the source's other uses (use_everywhere in intake.py)."""


def share_with_none(_key: VersionKey) -> None:
    """The version has one use."""


@dataclass(frozen=True)
class IndexHere:
    """Indexing in this process, from the first batch to the activation; companion: see finish_version. share: called when the
    vectors are stored, before the version is ready."""

    progress: Progress = no_progress
    companion: bool = False
    share: Share = share_with_none

    def batches(self, chunks: int) -> int:  # noqa: ARG002
        """0: there are no tasks."""
        return 0

    def resume(self, version: BookVersion) -> bool:  # noqa: ARG002
        """False: the version is indexed from its stored artefacts."""
        return False

    def run(self, key: VersionKey, book: Book, chunks: list[Chunk], services: CollectionServices) -> None:
        """Index and activate the version, and remove the versions that it replaces.

        Embeds only what is neither stored nor in the version before."""
        vectors = stored(load_vectors, key, services)
        if vectors is None or len(vectors) != len(chunks):
            vectors = store_batches(key, book, chunks, list(self._embedded(key, chunks, services)), services)
        self.share(key)
        self.progress(Stage.INDEXING, 0, len(chunks))
        finish_version(key, book, chunks, vectors, services, companion=self.companion)
        self.progress(Stage.INDEXING, len(chunks), len(chunks))
        if not self.companion:
            for version in superseded(services.catalog.book(key.school, key.book)):
                remove_version(version.key, services)

    def _embedded(self, key: VersionKey, chunks: list[Chunk], services: CollectionServices) -> Iterator[EmbeddedBatch]:
        known = known_vectors(key, services)
        for start in range(0, max(len(chunks), 1), EMBED_AT_ONCE):
            self.progress(Stage.EMBEDDING, start, len(chunks))
            rows = range(start, min(start + EMBED_AT_ONCE, len(chunks)))
            yield rows, embed_batch(key, chunks, rows, services, known)
        self.progress(Stage.EMBEDDING, len(chunks), len(chunks))


def index_parsed(key: VersionKey, book: Book, chunks: list[Chunk], services: CollectionServices, indexing: Indexing) -> None:
    """Record the parsed version and index it. Raises as finish_version does."""
    services.catalog.parsed(key, book.report, len(chunks), indexing.batches(len(chunks)))
    indexing.run(key, book, chunks, services)


def index_again(key: VersionKey, source: CatalogBook, services: CollectionServices, indexing: Indexing) -> None:
    """Index the stored book of the active version once more under `key`: with another model, or chunked otherwise.

    The source is claimed. Raises NotFound if the book is not stored, and as finish_version does."""
    known = next((version for version in source.versions if version.key == key), None)
    if known and indexing.resume(known):
        return
    book = load_book(services.bucket, key)
    chunks = chunk_version(key, book, services)
    parser_version = source.active.parser_version if source.active else ""
    services.catalog.begin(key, source.file_name, parser_version, title=source.title, authors=source.authors)
    index_parsed(key, book, chunks, services, indexing)


def reembed(school: str, services: CollectionServices, indexing_of: Callable[[CatalogBook], Indexing]) -> Iterator[CatalogBook]:
    """Index each stored book that another model or chunker made searchable anew, by those of `services`; yields these books.

    Nothing is parsed. Until its turn is over a book is not found; the same call finishes what was killed. Raises NotFound if a
    book is not stored, BookBusy if another process holds it, and as the ports do."""
    give_up_abandoned(school, services)
    for book in services.catalog.books(school):
        if book.active and book.active.key != (key := services.key(school, book.id, book.active.key.version)):
            with services.catalog.claim(school, book.id), interruption_recorded(key, services):
                index_again(key, services.catalog.book(school, book.id), services, indexing_of(book))
            yield book
        for old in superseded(book):  # a process was killed before it removed them
            with services.catalog.claim(school, book.id):
                remove_version(old.key, services)


def finish_version(
    key: VersionKey, book: Book, chunks: list[Chunk], vectors: Vectors, services: CollectionServices, *, companion: bool = False
) -> None:
    """Index the stored vectors, (n, d), and activate the version; companion: only make it ready, in addition to the active one.

    Raises IndexUnavailable, NotFound if a newer version is active, BookBusy if the vectors of a copy are being written."""
    with services.catalog.claim_vectors(key):
        fill_index(key, book, chunks, vectors, services)
        if companion:
            services.catalog.prepared(key)
        else:
            if not is_by_sentences(key):
                note_topics(key, book, vectors, services)
            title = book.title or title_of_file(services.catalog.book(key.school, key.book).file_name)
            services.catalog.activate(key, title, book.authors)
            _note(services.catalog.version(key))
    remove_parts(services.bucket, key)


def superseded(book: CatalogBook) -> list[BookVersion]:
    """Versions begun before the active one; those begun after it may be in progress."""
    return list(dropwhile(lambda version: version != book.active, book.versions))[1:]


def remove_version(key: VersionKey, services: CollectionServices) -> None:
    """Remove a version's vectors and artefacts, then its record. Data shared with versions of other models or units stays.

    Raises BookBusy if its vectors are being written or removed elsewhere."""
    with services.catalog.claim_vectors(key):
        _remove_unshared(key, services)
        book = services.catalog.book(key.school, key.book)
        shared = any(other.key.version == key.version and other.key != key for other in book.versions)
        own = (chunks_name(key), vectors_name(key), context_name(key))
        for name in own if shared else (version_folder(key),):
            services.bucket.delete(name)
        services.catalog.forget(key)


def _remove_unshared(key: VersionKey, services: CollectionServices) -> None:
    """Remove the vectors unless a ready copy uses them; an unfinished copy will write its own."""
    if not services.catalog.shared(key):
        services.index.remove(key.partition, key.version)
        if services.words:
            services.words.remove(key.partition, key.version)


def _note(version: BookVersion) -> None:
    """Log the time from upload to searchable."""
    key, age = version.key, version.changed - version.began
    facts = {"school": key.school, "book": key.book, "version": key.version, "age_ms": round(1000 * age.total_seconds())}
    log.info("book searched", extra=facts)


ENDED = (VersionState.READY, VersionState.FAILED)

INTERRUPTED = ("interrupted", message("book_interrupted"))
"""Reason and message of an interrupted version. Its stored artefacts are used when the file is added again."""


@contextmanager
def interruption_recorded(key: VersionKey, services: CollectionServices) -> Iterator[None]:
    """Record Ctrl-C within the block as the version's failure."""
    try:
        yield
    except KeyboardInterrupt as error:
        clear_frames(error.__traceback__)  # they may hold a connection whose transaction it broke off, and with it the lock
        gc.collect()
        with suppress(NotFound):  # not begun yet
            services.catalog.failed(key, *INTERRUPTED)
        raise


def give_up_abandoned(school: str, services: CollectionServices) -> None:
    """Fail every unclaimed version that a killed process left unfinished; it would count against the limit otherwise.

    Raises CatalogUnavailable."""
    for book in services.catalog.books(school):
        if not _is_being_built(book):
            continue
        with suppress(BookBusy, NotFound), services.catalog.claim(school, book.id):
            now = services.catalog.book(school, book.id)  # another process may have finished it meanwhile
            if now.newest and _is_being_built(now):
                services.catalog.failed(now.newest.key, *INTERRUPTED)


def _is_being_built(book: CatalogBook) -> bool:
    """Whether one process builds it from end to end; a version with indexing tasks waits for them unclaimed."""
    newest = book.newest
    return newest is not None and newest.state not in ENDED and not newest.batches


def list_books(school: str, services: CollectionServices) -> list[CatalogBook]:
    """The sources of the collection with their corrections, by title."""
    books = map(corrected_book, services.catalog.books(school))
    return sorted(books, key=lambda book: (book.title.casefold(), book.id))


def ready_books(school: str, services: CollectionServices) -> list[CatalogBook]:
    """The sources that can be searched, by title."""
    return [book for book in list_books(school, services) if book.active]


def show_book(school: str, book: BookId, services: CollectionServices) -> CatalogBook:
    """One source with its corrections. Raises NotFound."""
    return corrected_book(services.catalog.book(school, book))


def describe(key: VersionKey, title: str | None, authors: Sequence[str], services: CollectionServices) -> None:
    """Change title and authors, where given."""
    if title or authors:
        book = services.catalog.book(key.school, key.book)
        services.catalog.describe(key.school, key.book, title or book.title, tuple(authors) or book.authors)


def remove_book(school: str, book: BookId, services: CollectionServices) -> CatalogBook:
    """Remove a source with all versions and their data; returns the removed source. Raises NotFound, BookBusy."""
    with services.catalog.claim(school, book):
        return remove_claimed_book(school, book, services)


def remove_with_file(school: str, book: BookId, services: CollectionServices, uploads: Uploads) -> CatalogBook:
    """remove_book, and delete the uploaded file, which would be received again. Raises BucketUnavailable too."""
    removed = remove_book(school, book, services)
    uploads.delete(folder_of(school, services.collection) + removed.file_name)
    return removed


def remove_claimed_book(school: str, book: BookId, services: CollectionServices) -> CatalogBook:
    """remove_book for a caller that has claimed the source."""
    source = services.catalog.book(school, book)
    services.catalog.retire(school, book)  # no longer found; after a kill, the next call finishes the rest
    for version in source.versions:
        with services.catalog.claim_vectors(version.key):
            _remove_unshared(version.key, services)
    services.bucket.delete(book_folder(school, book, services.collection))
    services.catalog.remove(school, book)
    return corrected_book(source)
