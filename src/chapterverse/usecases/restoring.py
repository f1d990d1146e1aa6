"""A catalog that was lost, made again from what is kept of the books: nothing is parsed or embedded.

What only the catalog knew does not come back: teachers' titles and corrections, keys, feedback: see the database's backups."""

from collections import defaultdict
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass

from chapterverse.errors import BadRequest
from chapterverse.ingestion.version import PARSER_VERSION
from chapterverse.model import BookId, ShelvedBook, VersionKey
from chapterverse.usecases.artefacts import load_book, load_vectors, shelf_folder
from chapterverse.usecases.chunks import is_kept, load_chunks
from chapterverse.usecases.services import Intake
from chapterverse.usecases.uploaded import folder_of, parts_of
from chapterverse.usecases.versions import book_id_of, finish_version


@dataclass(frozen=True, slots=True)
class Restored:
    """One book of which something is kept: as it is searched again, or None where not exactly one version of it, by the model
    of the settings, is kept whole. Its file has to be added again then."""

    id: BookId
    book: ShelvedBook | None


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
