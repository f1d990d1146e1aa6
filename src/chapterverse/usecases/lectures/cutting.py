"""A book of another shelf cut into paragraphs, once for all lectures: as a version beside the one that its shelf searches.

It is made from the parsed book that is kept, and goes with the book: nothing is parsed again, nothing copied."""

from collections.abc import Callable
from dataclasses import replace

from chapterverse.errors import NotFound
from chapterverse.model import BookId, BookVersion, ShelvedBook, VersionKey, VersionState
from chapterverse.usecases.abandoned import interruption_recorded
from chapterverse.usecases.artefacts import load_book
from chapterverse.usecases.books import Progress, embed_version, in_silence
from chapterverse.usecases.indexing import is_whole, refill_index
from chapterverse.usecases.parts import batches_of
from chapterverse.usecases.services import Intake, Services
from chapterverse.usecases.tasks import index_tasks
from chapterverse.usecases.versions import cut_version, finish_version


def beside(active: BookVersion, unit: str) -> VersionKey:
    """The same file, cut so, by the same model."""
    return replace(active.key, unit=unit)


def cut_book(asked: tuple[VersionKey, str], intake: Intake) -> None:
    """Note that the version is being made, and ask for its vectors. Of a book that is gone or replaced, nothing happens; one
    that is ready is looked over. asked: the version, and by whom it is asked for.

    Raises NotFound where the book is not kept, BookBusy, and what the ports raise."""
    key, asked_by = asked
    services = intake.services
    with services.catalog.claim(key.school, key.book):
        shelved = services.catalog.book(key.school, key.book)
        if not _is_wanted(key, shelved) or _is_there(key, shelved, services):
            return
        known = _known(key, shelved)
        if known is None or known.state is not VersionState.INDEXING or not known.batches:
            _begin(key, shelved, services, lambda chunks: batches_of(chunks, intake.batch_sentences))
        for task in index_tasks(services.catalog.version(key), asked_by):
            intake.queue.add(task)


def cut_now(school: str, book: BookId, services: Services, progress: Progress = in_silence) -> None:
    """The same from end to end, where there is no queue. services: of the book's shelf, with the lectures' cutter.

    Raises NotFound for a book that is not there or not ready, BookBusy, and what the ports raise."""
    with services.catalog.claim(school, book):
        shelved = services.catalog.book(school, book)
        if shelved.active is None:
            raise NotFound("book_not_ready_add_again", book=book)
        key = beside(shelved.active, services.cutter.unit)
        if not _is_there(key, shelved, services):
            with interruption_recorded(key, services):
                _begin(key, shelved, services, lambda _: 0)
                parsed = load_book(services.bucket, key)
                chunks = cut_version(key, parsed, services)
                vectors = embed_version(key, parsed, chunks, services.using(key.model), progress)
                finish_version(key, parsed, chunks, vectors, services, beside=True)


def _begin(key: VersionKey, shelved: ShelvedBook, services: Services, batches: Callable[[int], int]) -> None:
    parsed = load_book(services.bucket, key)
    chunks = len(cut_version(key, parsed, services))
    services.catalog.begin(key, shelved.file_name, shelved.active.parser_version if shelved.active else "")
    services.catalog.parsed(key, parsed.report, chunks, batches(chunks))


def _is_wanted(key: VersionKey, shelved: ShelvedBook) -> bool:
    return shelved.active is not None and beside(shelved.active, key.unit) == key


def _is_there(key: VersionKey, shelved: ShelvedBook, services: Services) -> bool:
    """Whether it is ready; what the index has lost of it is written anew."""
    known = _known(key, shelved)
    if known is None or known.state is not VersionState.READY:
        return False
    if not is_whole(known, services):
        refill_index(key, services)
    return True


def _known(key: VersionKey, shelved: ShelvedBook) -> BookVersion | None:
    return next((version for version in shelved.versions if version.key == key), None)
