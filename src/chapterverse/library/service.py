"""List, show, describe and remove sources. A call that was killed is finished by repeating it."""

from collections.abc import Sequence

from chapterverse.core.book import BookId
from chapterverse.core.ports import Uploads
from chapterverse.library.artefacts import book_folder
from chapterverse.library.corrections import corrected_book
from chapterverse.library.model import CatalogBook, VersionKey
from chapterverse.library.services import CollectionServices
from chapterverse.library.uploads import folder_of
from chapterverse.library.versions import remove_from_index


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
        remove_from_index(version.key, services)
    services.bucket.delete(book_folder(school, book, services.collection))
    services.catalog.remove(school, book)
    return corrected_book(source)
