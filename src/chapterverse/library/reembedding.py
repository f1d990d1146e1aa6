"""Re-embed a school's collection with another model while it stays searchable; and restore a lost catalog.

For each active version, services.embedder builds one of the same file from the stored book: nothing is parsed. When every book
has one, one transaction switches to all of them (SqlCatalog.switch), and the former versions are removed. Killed at any moment,
the books of one of the models are searched, whole; the same call finishes the rest. Processes that answer meanwhile have both
embedders (CollectionServices.before).

A lost catalog is restored from the stored artefacts; nothing is parsed or embedded. Titles and corrections of teachers, keys
and feedback are only in backups of the database."""

from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, replace

from bookreader.source import PARSER_VERSION
from chapterverse.core.book import BookId
from chapterverse.core.errors import BadRequest, BookBusy
from chapterverse.library.artefacts import collection_folder, load_book, load_vectors
from chapterverse.library.chunks import is_stored, load_chunks
from chapterverse.library.model import BookVersion, CatalogBook, VersionKey, VersionState
from chapterverse.library.services import CollectionServices, Intake
from chapterverse.library.uploads import folder_of, parts_of
from chapterverse.library.versions import (
    IndexHere,
    Progress,
    book_id_of,
    finish_version,
    give_up_abandoned,
    index_again,
    interruption_recorded,
    remove_version,
    superseded,
)

BookProgress = Callable[[CatalogBook], Progress]
"""Makes the progress callback of a book."""


def reembed_collection(school: str, services: CollectionServices, progress: BookProgress) -> list[CatalogBook]:
    """Embed every book that another model made searchable with services.embedder, then switch; returns these books.

    Raises NotFound if a book is not stored, BookBusy if another process holds one, and as the ports do."""
    done: list[CatalogBook] = []
    give_up_abandoned(school, services)
    while not services.catalog.switch(school, services.embedder.model, services.chunker.unit):
        left = list(not_yet_reembedded(school, services))
        if not left:  # a book is being added at this moment
            raise BookBusy("book_being_added")
        for book, active in left:
            _reembed(active, services, progress(book))
            done.append(book)
    for version in replaced_versions(school, services):
        with services.catalog.claim(school, version.key.book):
            remove_version(version.key, services)
    return done


def not_yet_reembedded(school: str, services: CollectionServices) -> Iterator[tuple[CatalogBook, BookVersion]]:
    """Books, each with its active version, that have no ready version by services.embedder."""
    for book in services.catalog.books(school):
        if book.active and not _has(book, target_key(book.active, services)):
            yield book, book.active


def replaced_versions(school: str, services: CollectionServices) -> Iterator[BookVersion]:
    """Versions that services.embedder's versions replaced."""
    for book in services.catalog.books(school):
        if book.active and book.active.key == target_key(book.active, services):
            yield from superseded(book)


def target_key(version: BookVersion, services: CollectionServices) -> VersionKey:
    """Key of the same file with this collection's embedding model and chunker."""
    return replace(version.key, model=services.embedder.model, unit=services.chunker.unit)


def _reembed(active: BookVersion, services: CollectionServices, progress: Progress) -> None:
    key = target_key(active, services)
    with services.catalog.claim(key.school, key.book):
        source = services.catalog.book(key.school, key.book)
        if source.active and source.active.key == active.key:
            with interruption_recorded(key, services):
                index_again(key, source, services, IndexHere(progress, companion=True))


def _has(book: CatalogBook, key: VersionKey) -> bool:
    return any(version.key == key and version.state is VersionState.READY for version in book.versions)


@dataclass(frozen=True, slots=True)
class RestoredBook:
    """A book with stored artefacts. book: searchable again; None unless exactly one version of it by the current model is
    stored whole. Then its file has to be added again."""

    id: BookId
    book: CatalogBook | None


def restore_collection(school: str, intake: Intake) -> Iterator[RestoredBook]:
    """Make every book searchable that has stored artefacts and is not searched; yields these books.

    If it was killed, the same call continues. Raises BookBusy, and every other RetryableError of the ports."""
    services, names = intake.services, _file_names(school, intake)
    known = {book.id for book in services.catalog.books(school) if book.active}
    for book, versions in _stored_versions(school, intake).items():
        if book not in known:
            whole = [key for version in versions if is_stored(services.bucket, key := services.key(school, book, version))]
            if len(whole) == 1:
                _restore(whole[0], names.get(book, f"{book}.pdf"), intake)
            yield RestoredBook(book, services.catalog.book(school, book) if len(whole) == 1 else None)


def _restore(key: VersionKey, file_name: str, intake: Intake) -> None:
    services = intake.services
    with services.catalog.claim(key.school, key.book):
        book = load_book(services.bucket, key)
        chunks = load_chunks(services.bucket, key, book)
        services.catalog.begin(key, file_name, PARSER_VERSION)
        services.catalog.parsed(key, book.report, len(chunks))
        finish_version(key, book, chunks, load_vectors(services.bucket, key), services)


def _stored_versions(school: str, intake: Intake) -> dict[BookId, list[str]]:
    """Names of stored versions by book. Ids and versions stand in object names unchanged."""
    prefix = collection_folder(school, intake.services.collection)
    found: dict[BookId, set[str]] = defaultdict(set)
    for name in intake.services.bucket.names(prefix):
        book, _, rest = name.removeprefix(prefix).partition("/")
        if not book.startswith("_"):  # another collection
            found[BookId(book)].add(rest.partition("/")[0])
    return {book: sorted(versions) for book, versions in found.items()}


def _file_names(school: str, intake: Intake) -> dict[BookId, str]:
    """File names of uploaded books by id."""
    names = {}
    for file in intake.uploads.files(folder_of(school, intake.services.collection)):
        with suppress(BadRequest):
            _, name = parts_of(file.name)
            names[book_id_of(name)] = name
    return names
