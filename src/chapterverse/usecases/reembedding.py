"""A shelf embedded anew by another model, while it is searched.

Beside each version that is searched, one of the same file is built by services.embedder, from what is kept: nothing is parsed.
When every book has one, all are switched to in one transaction (Catalog.switch), and the versions before are removed. Killed at
any moment, either model's books are searched, whole; the same again does what is left. A process that is to answer meanwhile
has both embedders (Services.before)."""

from collections.abc import Callable, Iterator
from dataclasses import replace

from chapterverse.errors import BookBusy
from chapterverse.model import Book, BookVersion, ShelvedBook, VersionKey, VersionState
from chapterverse.usecases.abandoned import give_up_abandoned, interruption_recorded
from chapterverse.usecases.artefacts import load_book
from chapterverse.usecases.books import Progress, embed_version
from chapterverse.usecases.parts import batches_of
from chapterverse.usecases.services import Services
from chapterverse.usecases.versions import cut_version, finish_version, remove_version, superseded

BookProgress = Callable[[ShelvedBook], Progress]
"""Whom to tell how far that book is."""


def reembed_shelf(school: str, services: Services, progress: BookProgress) -> list[ShelvedBook]:
    """Embed every book that is searched by another model with services.embedder, then search those: the books that had to be.

    Raises NotFound where something of a book is not kept, BookBusy where somebody is at work on one, and what the ports do."""
    done: list[ShelvedBook] = []
    give_up_abandoned(school, services)
    while not services.catalog.switch(school, services.embedder.model, services.cutter.unit):
        left = list(not_yet_reembedded(school, services))
        if not left:  # another is being added just now
            raise BookBusy("book_being_added")
        for book, active in left:
            _reembed(active, services, progress(book))
            done.append(book)
    for version in replaced_versions(school, services):
        with services.catalog.claim(school, version.key.book):
            remove_version(version.key, services)
    return done


def not_yet_reembedded(school: str, services: Services) -> Iterator[tuple[ShelvedBook, BookVersion]]:
    """Books, with the version that is searched, of which none by services.embedder is ready."""
    for book in services.catalog.books(school):
        if book.active and not _has(book, beside(book.active, services)):
            yield book, book.active


def replaced_versions(school: str, services: Services) -> Iterator[BookVersion]:
    """Versions of books that services.embedder has taken the place of."""
    for book in services.catalog.books(school):
        if book.active and book.active.key == beside(book.active, services):
            yield from superseded(book)


def beside(version: BookVersion, services: Services) -> VersionKey:
    """The same file cut and embedded as those that are added here."""
    return replace(version.key, model=services.embedder.model, unit=services.cutter.unit)


def begin_beside(version: BookVersion, services: Services, batch_chunks: int | None = None) -> tuple[VersionKey, Book] | None:
    """Note that the same file is being embedded by services.embedder, in batches of so many chunks at most where that is given;
    the book is claimed. None where it is not what is searched any more. Raises NotFound where it is not kept."""
    key, shelved = beside(version, services), services.catalog.book(version.key.school, version.key.book)
    if shelved.active is None or shelved.active.key != version.key:
        return None
    book = load_book(services.bucket, key)
    chunks = len(cut_version(key, book, services))
    services.catalog.begin(key, shelved.file_name, version.parser_version)
    services.catalog.parsed(key, book.report, chunks, batches_of(chunks, batch_chunks) if batch_chunks else 0)
    return key, book


def _reembed(active: BookVersion, services: Services, progress: Progress) -> None:
    with services.catalog.claim(active.key.school, active.key.book):
        if begun := begin_beside(active, services):
            key, book = begun
            with interruption_recorded(key, services):
                chunks = cut_version(key, book, services)
                vectors = embed_version(key, book, chunks, services, progress)
                finish_version(key, book, chunks, vectors, services, beside=True)


def _has(book: ShelvedBook, key: VersionKey) -> bool:
    return any(version.key == key and version.state is VersionState.READY for version in book.versions)
