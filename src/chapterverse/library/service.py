"""Add, list, show and remove sources. A call that was killed is finished by the same call again."""

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field
from enum import StrEnum
from functools import partial
from pathlib import PurePath
from threading import Thread

from chapterverse.core.book import Book, BookId, Chunk, Limits
from chapterverse.core.hits import Vectors
from chapterverse.core.names import department_of, in_department
from chapterverse.core.ports import Uploads
from chapterverse.library.artefacts import book_folder, load_vectors
from chapterverse.library.chunks import is_kept
from chapterverse.library.corrections import corrected_book
from chapterverse.library.indexing import Batch, embed_batch, is_whole, keep_batches, vectors_before
from chapterverse.library.model import PARSER_VERSION, BookVersion, CatalogBook, VersionKey, VersionState, version_of
from chapterverse.library.services import Parser, Services
from chapterverse.library.uploads import folder_of
from chapterverse.library.versions import (
    book_of,
    chunk_version,
    finish_version,
    give_up_abandoned,
    interruption_recorded,
    kept,
    parse_version,
    remove_from_index,
    remove_version,
    superseded,
)

Following = Callable[[], tuple[bytes, BookId] | None]

"""The file to parse next and the id of its source; None if there is none."""


@dataclass
class ReadAhead:
    """A parser that, after each book, parses the following one in the background while the first is embedded.

    At most one book ahead, so that memory is bounded. An unused result ends with the program."""

    parser: Parser
    following: Following = lambda: None
    _begun: dict[tuple[str, BookId, Limits], "Future[Book]"] = field(default_factory=dict)

    def __call__(self, pdf: bytes, book: BookId, limits: Limits, progress: Callable[[int, int], None] | None = None) -> Book:
        """The parsed book. Raises BadBook, also from parsing ahead."""
        begun = self._begun.pop((version_of(pdf), book, limits), None)
        self._begun.clear()
        parsed = begun.result() if begun else self.parser(pdf, book, limits, progress)
        self._begin(limits)
        return parsed

    def _begin(self, limits: Limits) -> None:
        if (following := self.following()) is None:
            return
        pdf, book = following
        future: Future[Book] = Future()
        self._begun[version_of(pdf), book, limits] = future
        # a daemon: whoever interrupts the program does not wait for a book that nobody asked for yet
        Thread(target=_fill, args=(future, lambda: self.parser(pdf, book, limits)), daemon=True).start()


def _fill(future: "Future[Book]", parse: Callable[[], Book]) -> None:
    """Complete the future with the book or the exception."""
    try:
        future.set_result(parse())
    except BaseException as error:  # raised where the book is asked for
        future.set_exception(error)


EMBED_AT_ONCE = 256  # chunks between two reports of progress


class Stage(StrEnum):
    """Step of adding a source."""

    PARSING = "parsing"
    EMBEDDING = "embedding"
    INDEXING = "indexing"


Progress = Callable[[Stage, int, int], None]

"""Called with the stage, the amount done and the total: pages for PARSING, else chunks."""


class Outcome(StrEnum):
    """Result of adding a source."""

    ADDED = "added"
    REPLACED = "replaced"  # another version was searched before
    REBUILT = "rebuilt"  # the same version, but the index did not hold all of it, or not all of it was kept
    UNCHANGED = "unchanged"  # the same version: nothing to do


@dataclass(frozen=True, slots=True)
class AddedBook:
    """The source after adding it, the outcome, and if it was replaced, the source before."""

    book: CatalogBook
    outcome: Outcome
    replaced: CatalogBook | None = None


def no_progress(_stage: Stage, _done: int, _total: int) -> None:
    """Report nothing."""


def list_books(school: str, services: Services) -> list[CatalogBook]:
    """The sources of the collection with their corrections, by title."""
    books = map(corrected_book, services.catalog.books(school))
    return sorted(books, key=lambda book: (book.title.casefold(), book.id))


def ready_books(school: str, services: Services) -> list[CatalogBook]:
    """The sources that can be searched, by title."""
    return [book for book in list_books(school, services) if book.active]


def show_book(school: str, book: BookId, services: Services) -> CatalogBook:
    """One source with its corrections. Raises NotFound."""
    return corrected_book(services.catalog.book(school, book))


def add_book(
    pdf: bytes,
    file_name: str,
    school: str,
    services: Services,
    limits: Limits,
    *,
    title: str | None = None,
    authors: Sequence[str] = (),
    department: str | None = None,
    progress: Progress = no_progress,
) -> AddedBook:
    """Add a source in this process: parse, chunk, embed, index, activate.

    title, authors: override those of the file. department: of the help desk. The same bytes again, under any name: UNCHANGED.
    Other bytes under a known name: a new version, which replaces the old one when it is complete. Raises TooLarge (collection
    full), BadBook (recorded on the source, as is an interruption), BookBusy, and every RetryableError of the ports."""
    name, services = in_department(PurePath(file_name).name, department), services.for_school(school)
    key = key_of(pdf, name, school, services)
    with services.catalog.claim(school, key.book):
        before = next((book for book in services.catalog.books(school) if book.id == key.book), None)
        outcome = _outcome(key, before.active if before else None, services)
        if outcome is not Outcome.UNCHANGED:
            give_up_abandoned(school, services)
            services.catalog.begin(key, name, PARSER_VERSION, limits.books, title=title, authors=tuple(authors))
            with interruption_recorded(key, services):
                _make_searchable(key, pdf, services, limits, progress)
        describe(key, title, authors, services)
        for version in superseded(services.catalog.book(school, key.book)):
            remove_version(version.key, services)
        replaced = before if outcome is Outcome.REPLACED else None
        return AddedBook(show_book(school, key.book, services), outcome, replaced)


def describe(key: VersionKey, title: str | None, authors: Sequence[str], services: Services) -> None:
    """Change title and authors where they are given."""
    if title or authors:
        book = services.catalog.book(key.school, key.book)
        services.catalog.describe(key.school, key.book, title or book.title, tuple(authors) or book.authors)


def remove_book(school: str, book: BookId, services: Services) -> CatalogBook:
    """Remove a source with all versions and their data; returns what it was. Raises NotFound, BookBusy."""
    with services.catalog.claim(school, book):
        return remove_claimed_book(school, book, services)


def remove_with_file(school: str, book: BookId, services: Services, uploads: Uploads) -> CatalogBook:
    """remove_book, and delete the uploaded file, which would be received again. Raises BucketUnavailable, too."""
    removed = remove_book(school, book, services)
    uploads.delete(folder_of(school, services.collection) + removed.file_name)
    return removed


def remove_claimed_book(school: str, book: BookId, services: Services) -> CatalogBook:
    """remove_book for a caller that has claimed the source."""
    shelved = services.catalog.book(school, book)
    services.catalog.retire(school, book)  # from here on nobody finds it; called again after a kill, the rest is finished
    for version in shelved.versions:
        remove_from_index(version.key, services)
    services.bucket.delete(book_folder(school, book, services.collection))
    services.catalog.remove(school, book)
    return corrected_book(shelved)


def key_of(pdf: bytes, file_name: str, school: str, services: Services) -> VersionKey:
    """Key of the version that a file becomes; a file with the bytes of a source in the same department is that source."""
    version, books = version_of(pdf), services.catalog.books(school)
    own, beside = book_of(file_name, books), [book for book in books if book.department == department_of(file_name)]
    holders = [book.id for book in beside if any(_is_alive(each, version) for each in book.versions)]
    book = own if own in holders or not holders else holders[0]
    return services.key(school, book, version)


def _is_alive(version: BookVersion, name: str) -> bool:
    return version.key.version == name and version.state is not VersionState.FAILED


def _outcome(key: VersionKey, active: BookVersion | None, services: Services) -> Outcome:
    """The outcome of adding this version. active: the version searched now."""
    if active is None:
        return Outcome.ADDED
    if active.key != key:
        return Outcome.REPLACED
    whole = is_kept(services.bucket, key) and is_whole(active, services)
    return Outcome.UNCHANGED if whole else Outcome.REBUILT


def _make_searchable(key: VersionKey, pdf: bytes, services: Services, limits: Limits, progress: Progress) -> None:
    """All steps of a version that was begun. Raises BadBook, RetryableError."""
    book = parse_version(key, pdf, services, limits, partial(progress, Stage.PARSING))
    chunks = chunk_version(key, book, services)
    services.catalog.parsed(key, book.report, len(chunks))
    vectors = embed_version(key, book, chunks, services, progress)
    progress(Stage.INDEXING, 0, len(chunks))
    finish_version(key, book, chunks, vectors, services)
    progress(Stage.INDEXING, len(chunks), len(chunks))


def embed_version(key: VersionKey, book: Book, chunks: list[Chunk], services: Services, progress: Progress) -> Vectors:
    """The stored vectors, (n, d), one row a chunk; embeds only what is neither stored nor in the version before."""
    vectors = kept(load_vectors, key, services)
    if vectors is None or len(vectors) != len(chunks):
        batches = list(_embed_in_batches(key, chunks, services, progress))
        vectors = keep_batches(key, book, chunks, batches, services)
    return vectors


def _embed_in_batches(key: VersionKey, chunks: list[Chunk], services: Services, progress: Progress) -> Iterator[Batch]:
    before = vectors_before(key, services)
    for start in range(0, max(len(chunks), 1), EMBED_AT_ONCE):
        progress(Stage.EMBEDDING, start, len(chunks))
        rows = range(start, min(start + EMBED_AT_ONCE, len(chunks)))
        yield rows, embed_batch(key, chunks, rows, services, before)
    progress(Stage.EMBEDDING, len(chunks), len(chunks))
