"""A school leaves: nothing that was kept of it stays. Called again after a kill or an error, it goes on.

First nobody comes in any more (keys). Then goes what only the catalog knows the way to (books, with their vectors and
artefacts), then files, batches and whatever else lies in the school's folders; the catalog's own rows last."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime

from chapterverse.errors import NotFound
from chapterverse.names import path_part
from chapterverse.ports import KeyStore, SchoolRecords, Uploads
from chapterverse.usecases.api_keys import list_keys, refuse_no_school, revoke_key
from chapterverse.usecases.books import remove_book
from chapterverse.usecases.overnight.batches import remove_batch
from chapterverse.usecases.overnight.night import Night
from chapterverse.usecases.services import Services


@dataclass(frozen=True, slots=True)
class Places:
    """Wherever things of a school are kept. shelves: the services of each collection."""

    shelves: Sequence[Services]
    uploads: Uploads
    night: Night
    keys: KeyStore
    records: SchoolRecords


@dataclass(frozen=True, slots=True)
class Removed:
    """How many there were. rows: of what was left in the catalog's database then, by table."""

    books: int
    files: int
    batches: int
    rows: Mapping[str, int]


def remove_school(school: str, places: Places, now: datetime) -> Removed:
    """Forget the school and all that was kept of it; of one that is not there, nothing happens. now: with its zone.

    Raises BadRequest for what is no school's name, BookBusy where somebody is still at work on one of its books, and every
    other RetryableError of the ports."""
    refuse_no_school(school)
    for key in list_keys(school, places.keys):
        revoke_key(school, key.id, places.keys, now)
    books = sum(_remove_books(school, shelf) for shelf in places.shelves)
    files = _remove_files(school, places.uploads)
    batches = _remove_batches(school, places.night)
    for bucket in (places.night.results, *(shelf.bucket for shelf in places.shelves)):
        bucket.delete(f"{path_part(school)}/")
    for shelf in places.shelves:
        shelf.index.leave_no_trace()
    return Removed(books, files, batches, places.records.remove(school))


def _remove_books(school: str, shelf: Services) -> int:
    books = shelf.catalog.books(school)
    for book in books:
        with suppress(NotFound):  # its file's event has come in between
            remove_book(school, book.id, shelf)
    return len(books)


def _remove_files(school: str, uploads: Uploads) -> int:
    files = uploads.files(f"{school}/")
    for file in files:
        uploads.delete(file.name)
    return len(files)


def _remove_batches(school: str, night: Night) -> int:
    batches = night.store.of_school(school)
    for batch in batches:
        remove_batch(batch.key, night)
    return len(batches)
