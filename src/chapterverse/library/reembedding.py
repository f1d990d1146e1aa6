"""A shelf embedded anew by another model, while it is searched.

Beside each version that is searched, one of the same file is built by services.embedder, from what is kept: nothing is parsed.
When every book has one, all are switched to in one transaction (Catalog.switch), and the versions before are removed. Killed at
any moment, either model's books are searched, whole; the same again does what is left. A process that is to answer meanwhile
has both embedders (Services.before).

A catalog that was lost, made again from what is kept of the books: nothing is parsed or embedded.

What only the catalog knew does not come back: teachers' titles and corrections, keys, feedback: see the database's backups."""

from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, replace

from chapterverse.core.book import BookId
from chapterverse.core.errors import BadRequest, BookBusy
from chapterverse.library.artefacts import load_book, load_vectors, shelf_folder
from chapterverse.library.chunks import is_kept, load_chunks
from chapterverse.library.model import PARSER_VERSION, BookVersion, CatalogBook, VersionKey, VersionState
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

"""Whom to tell how far that book is."""


def reembed_shelf(school: str, services: CollectionServices, progress: BookProgress) -> list[CatalogBook]:
    """Embed every book that is searched by another model with services.embedder, then search those: the books that had to be.

    Raises NotFound where something of a book is not kept, BookBusy where somebody is at work on one, and what the ports do."""
    done: list[CatalogBook] = []
    give_up_abandoned(school, services)
    while not services.catalog.switch(school, services.embedder.model, services.chunker.unit):
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


def not_yet_reembedded(school: str, services: CollectionServices) -> Iterator[tuple[CatalogBook, BookVersion]]:
    """Books, with the version that is searched, of which none by services.embedder is ready."""
    for book in services.catalog.books(school):
        if book.active and not _has(book, beside(book.active, services)):
            yield book, book.active


def replaced_versions(school: str, services: CollectionServices) -> Iterator[BookVersion]:
    """Versions of books that services.embedder has taken the place of."""
    for book in services.catalog.books(school):
        if book.active and book.active.key == beside(book.active, services):
            yield from superseded(book)


def beside(version: BookVersion, services: CollectionServices) -> VersionKey:
    """The same file cut and embedded as those that are added here."""
    return replace(version.key, model=services.embedder.model, unit=services.chunker.unit)


def _reembed(active: BookVersion, services: CollectionServices, progress: Progress) -> None:
    key = beside(active, services)
    with services.catalog.claim(key.school, key.book):
        source = services.catalog.book(key.school, key.book)
        if source.active and source.active.key == active.key:
            with interruption_recorded(key, services):
                index_again(key, source, services, IndexHere(progress, companion=True))


def _has(book: CatalogBook, key: VersionKey) -> bool:
    return any(version.key == key and version.state is VersionState.READY for version in book.versions)


@dataclass(frozen=True, slots=True)
class Restored:
    """One book of which something is kept: as it is searched again, or None where not exactly one version of it, by the model
    of the settings, is kept whole. Its file has to be added again then."""

    id: BookId
    book: CatalogBook | None


def restore_shelf(school: str, intake: Intake) -> Iterator[Restored]:
    """Make every book searchable of which something is kept, and that is not searched; those.

    Killed, the same again goes on. Raises BookBusy, and every other RetryableError of the ports."""
    services, names = intake.services, _file_names(school, intake)
    known = {book.id for book in services.catalog.books(school) if book.active}
    for book, versions in _kept_versions(school, intake).items():
        if book not in known:
            whole = [key for version in versions if is_kept(services.bucket, key := services.key(school, book, version))]
            if len(whole) == 1:
                _restore(whole[0], names.get(book, f"{book}.pdf"), intake)
            yield Restored(book, services.catalog.book(school, book) if len(whole) == 1 else None)


def _restore(key: VersionKey, file_name: str, intake: Intake) -> None:
    services = intake.services
    with services.catalog.claim(key.school, key.book):
        book = load_book(services.bucket, key)
        chunks = load_chunks(services.bucket, key, book)
        services.catalog.begin(key, file_name, PARSER_VERSION)
        services.catalog.parsed(key, book.report, len(chunks))
        finish_version(key, book, chunks, load_vectors(services.bucket, key), services)


def _kept_versions(school: str, intake: Intake) -> dict[BookId, list[str]]:
    """Names of the versions of which something is kept, by book; ids and versions stand in names as they are."""
    prefix = shelf_folder(school, intake.services.collection)
    found: dict[BookId, set[str]] = defaultdict(set)
    for name in intake.services.bucket.names(prefix):
        book, _, rest = name.removeprefix(prefix).partition("/")
        if not book.startswith("_"):  # another collection
            found[BookId(book)].add(rest.partition("/")[0])
    return {book: sorted(versions) for book, versions in found.items()}


def _file_names(school: str, intake: Intake) -> dict[BookId, str]:
    """What the files of books are called, of those that were uploaded."""
    names = {}
    for file in intake.uploads.files(folder_of(school, intake.services.collection)):
        with suppress(BadRequest):
            _, name = parts_of(file.name)
            names[book_id_of(name)] = name
    return names
