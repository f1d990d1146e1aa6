"""Uploaded files: received, refused, and removed.

Events come at least once, in any order and in parallel, and a handler may be killed. So each handler reads the current state
first and does the rest; a file that was replaced is left to the event of its replacement. Each file is a source of its own,
also if it is a copy of another. The `intake` passed is that of the file's collection."""

from collections.abc import Iterable, Iterator
from contextlib import suppress

from chapterverse.core.book import BookId
from chapterverse.core.errors import BadBook, BadRequest, NotFound, RetryableError, TooLarge, code_of
from chapterverse.core.tasks import StoredFile
from chapterverse.library.indexing import batches_of, is_whole, refill_index
from chapterverse.library.model import PARSER_VERSION, BookVersion, CatalogBook, VersionKey, VersionState, version_of
from chapterverse.library.service import describe, remove_claimed_book
from chapterverse.library.services import Intake
from chapterverse.library.tasks import index_tasks, receive_task, remove_task
from chapterverse.library.uploads import collection_of, folder_of, is_misplaced, parts_of
from chapterverse.library.versions import chunk_version, claimed_book, parse_version, remove_version, superseded
from chapterverse.messages import Message, message

NOT_PARSED = (VersionState.UPLOADED, VersionState.PARSING)

MISPLACED = ("misplaced", message("file_misplaced"))

"""Reason and message of a file in a folder that belongs to no source."""


def receive_file(file: StoredFile, intake: Intake) -> None:
    """Parse a stored file and queue its indexing; does nothing if the file is gone.

    Refusals are recorded on the source, also that of a misplaced file. Raises BadRequest for a name that no source can have,
    BookBusy and every other RetryableError."""
    school, file_name = parts_of(file.name)
    if is_misplaced(file.name):
        refuse_file(file, *MISPLACED, intake)
        return
    try:
        pdf = intake.uploads.read(file, intake.limits.bytes)
        with claimed_book(file_name, school, intake.services.catalog) as book:
            if stored := _stored(file, intake):  # not replaced, and its replacement taken in, since it was read
                _take_in(intake.services.key(school, book, version_of(pdf)), pdf, stored, intake)
    except TooLarge as error:
        refuse_file(file, error.code, error.message, intake)
    except (NotFound, BadBook):
        return  # deleted or replaced: there is an event of that, too; or refused by the parser, which is on record


def refuse_file(file: StoredFile, code: str, message: Message, intake: Intake) -> None:
    """Record why the file is refused, on the version being parsed, else on one made for it.

    Does nothing if the file is gone. Raises BadRequest for its name, BookBusy."""
    school, file_name = parts_of(file.name)
    catalog = intake.services.catalog
    with claimed_book(file_name, school, catalog) as book:
        if _stored(file, intake):
            known = [shelved for shelved in catalog.books(school) if shelved.id == book]
            stuck = [each.key for shelved in known for each in shelved.versions if each.state in NOT_PARSED]
            for key in stuck or [_begun_for_refusal(file, book, intake)]:
                catalog.failed(key, code, message)


def file_deleted(name: str, intake: Intake) -> None:
    """Remove the source of a deleted file, unless a newer file has the name again.

    Files refused because the collection was full are received again. Raises BadRequest for a name that no source can have,
    BookBusy, and as receive_file does."""
    school, file_name = parts_of(name)
    catalog = intake.services.catalog
    with claimed_book(file_name, school, catalog) as book, suppress(NotFound):
        if not _current(name, intake):
            remove_claimed_book(school, book, intake.services)
    refused = {book.file_name for book in catalog.books(school) if book.newest and book.newest.reason == code_of(TooLarge)}
    _receive_each((file for file, of_name in _books_files(school, intake) if of_name in refused), intake)


def resume(school: str, intake: Intake) -> None:
    """Queue the tasks that a process with its queue in memory left undone. Call it at the start, for each collection."""
    books = intake.services.catalog.books(school)
    for book in books:
        for version in book.versions:
            if (version == book.newest or version.key.is_companion) and _waits_for_vectors(version):
                _ask_for_vectors(version, "resume", intake)
        for old in superseded(book):
            intake.queue.add(remove_task(old))
    settled = {book.file_name for book in books if book.newest and _needs_no_file(book.newest)}
    for file, of_name in _books_files(school, intake):
        if of_name not in settled:
            intake.queue.add(receive_task(file))


def _waits_for_vectors(version: BookVersion) -> bool:
    """Whether indexing tasks exist for it; the command line makes none."""
    return version.state is VersionState.INDEXING and version.batches > 0


def _needs_no_file(version: BookVersion) -> bool:
    """Whether its file need not be received: it was refused, or its indexing is queued."""
    return version.state is VersionState.FAILED or _waits_for_vectors(version)


def _receive_each(files: Iterable[StoredFile], intake: Intake) -> None:
    """Receive every file even if one fails; re-raise the last RetryableError."""
    waits: RetryableError | None = None
    for file in files:
        try:
            receive_file(file, intake)
        except RetryableError as error:
            waits = error
    if waits:
        raise waits


def _books_files(school: str, intake: Intake) -> Iterator[tuple[StoredFile, str]]:
    """The school's files of this collection, with their names below its folder."""
    collection = intake.services.collection
    for file in intake.uploads.files(folder_of(school, collection)):
        with suppress(BadRequest):
            if collection_of(file.name) is collection:
                yield file, parts_of(file.name)[1]


def _take_in(key: VersionKey, pdf: bytes, file: StoredFile, intake: Intake) -> None:
    book = next((book for book in intake.services.catalog.books(key.school) if book.id == key.book), None)
    newest, active = (book.newest, book.active) if book else (None, None)
    if newest and newest.key == key and _waits_for_vectors(newest):
        _ask_for_vectors(newest, file.generation, intake)
    elif book and active and active.key == key:
        _take_back(book, active, file, intake)
    else:
        _parse(key, pdf, file, intake)


def _ask_for_vectors(version: BookVersion, asked_by: str, intake: Intake) -> None:
    for task in index_tasks(version, asked_by):
        intake.queue.add(task)


def _parse(key: VersionKey, pdf: bytes, file: StoredFile, intake: Intake) -> None:
    services, (_, file_name) = intake.services, parts_of(file.name)
    services.catalog.begin(key, file_name, PARSER_VERSION, intake.limits.books, title=file.title, authors=file.authors)
    book = parse_version(key, pdf, services, intake.limits)
    chunks = len(chunk_version(key, book, services))
    services.catalog.parsed(key, book.report, chunks, batches_of(chunks, intake.batch_sentences))
    _ask_for_vectors(services.catalog.version(key), file.generation, intake)


def _take_back(book: CatalogBook, active: BookVersion, file: StoredFile, intake: Intake) -> None:
    """The active version was uploaded again: repair it if needed and drop versions begun since."""
    services = intake.services
    describe(active.key, file.title, file.authors, services)
    if not is_whole(active, services):
        refill_index(active.key, services)
    for version in book.versions:
        if version.key.version != active.key.version:  # with another model it is of the same file
            remove_version(version.key, services)


def _begun_for_refusal(file: StoredFile, book: BookId, intake: Intake) -> VersionKey:
    """A version to record the refusal of a file that was not read."""
    school, file_name = parts_of(file.name)
    version = version_of(f"{file.name}\0{file.generation}".encode())
    key = intake.services.key(school, book, version)
    intake.services.catalog.begin(key, file_name, PARSER_VERSION)
    return key


def _stored(file: StoredFile, intake: Intake) -> StoredFile | None:
    """The file with the store's metadata; None if it was deleted or replaced."""
    current = _current(file.name, intake)
    return current if current and current.generation == file.generation else None


def _current(name: str, intake: Intake) -> StoredFile | None:
    with suppress(NotFound):
        return intake.uploads.find(name)
    return None
