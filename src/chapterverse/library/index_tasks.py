"""A version indexed by tasks, one for each batch of chunks; and a collection re-embedded the same way (see reembedding.py).

    index_batch    embeds one batch and stores its vectors as a part; the last one continues with
    finish         joins the parts, writes the index, activates the version

Tasks come at least once, in any order and in parallel, and a worker may be killed. So each task reads the current state first
and does the rest. Final writes hold the claim on the source; parts are written without it and removed when they are unused."""

from contextlib import suppress
from itertools import takewhile

from chapterverse.core.errors import NotFound
from chapterverse.library import indexing
from chapterverse.library.artefacts import load_book
from chapterverse.library.chunks import load_chunks
from chapterverse.library.indexing import load_part, remove_parts, rows_of, save_part
from chapterverse.library.model import BookVersion, CatalogBook, VersionKey, VersionState
from chapterverse.library.reembedding import begin_beside, beside, not_yet_reembedded, replaced_versions
from chapterverse.library.services import Intake, Services
from chapterverse.library.tasks import Batch, index_tasks, remove_task
from chapterverse.library.versions import finish_version, remove_version, superseded
from chapterverse.messages import Message


def ask_to_reembed(school: str, intake: Intake, asked_by: str) -> list[CatalogBook]:
    """Ask for the vectors of every book that has none by services.embedder yet: those books; where there is none, the shelf is
    searched with it from now on.

    asked_by: whoever asks again under another word gets the tasks again that may have been lost. Raises BookBusy."""
    left = list(not_yet_reembedded(school, intake.services))
    for _, active in left:
        _ask_for(active, intake, asked_by)
    _switch(school, intake)
    return [book for book, _ in left]


def go_on_reembedding(school: str, intake: Intake) -> None:
    """A version is finished: switch, if all books are; a book that came meanwhile is embedded by both models. Where a school is
    not being embedded anew, nothing happens. Raises BookBusy."""
    services = intake.services
    if services.before is None or not any(_has_begun(book, services) for book in services.catalog.books(school)):
        return
    for book, active in not_yet_reembedded(school, services):
        if beside(active, services) not in {version.key for version in book.versions}:
            _ask_for(active, intake, "go on")
    _switch(school, intake)


def is_reembedded(key: VersionKey, services: Services) -> bool:
    """Whether the version is built beside one that is searched by the model before."""
    active = services.catalog.book(key.school, key.book).active
    searched_before = services.before and active and active.key.model == services.before.model
    return bool(searched_before and active and beside(active, services) == key)


def _ask_for(active: BookVersion, intake: Intake, asked_by: str) -> None:
    """Nothing happens where another file is searched meanwhile: of that it will be asked for."""
    catalog, key = intake.services.catalog, beside(active, intake.services)
    with suppress(NotFound), catalog.claim(key.school, key.book):
        known = next((each for each in catalog.book(key.school, key.book).versions if each.key == key), None)
        if known is None or known.state is not VersionState.INDEXING or not known.batches:
            begin_beside(active, intake.services, intake.batch_sentences)
        for task in index_tasks(catalog.version(key), asked_by):
            intake.queue.add(task)


def _switch(school: str, intake: Intake) -> None:
    if intake.services.catalog.switch(school, intake.services.embedder.model, intake.services.chunker.unit):
        for version in replaced_versions(school, intake.services):
            intake.queue.add(remove_task(version))


def _has_begun(book: CatalogBook, services: Services) -> bool:
    return any(version.key == beside(version, services) for version in book.versions)


def index_batch(batch: Batch, intake: Intake) -> None:
    """Embed and store one batch; after the last one, finish the version.

    For a version that is gone, failed, ready or begun again it only cleans up. Raises RetryableError, and PermanentError if the
    version cannot become ready."""
    if version := _waiting(batch, intake):
        _batch_of(batch.number, version, intake)
        if not _is_last(batch, intake):
            return
    finish(batch, intake)


def finish(batch: Batch, intake: Intake) -> None:
    """Join the parts, index them, activate the version, clean up. Raises as index_batch does, and BookBusy."""
    with intake.services.catalog.claim(batch.key.school, batch.key.book):
        if version := _waiting(batch, intake):
            _finish(version, intake)
        _clear_up(batch.key, intake)
    if not batch.key.is_companion:
        go_on_reembedding(batch.key.school, intake)


def give_up(batch: Batch, code: str, message: Message, intake: Intake) -> None:
    """Record why the version cannot become ready, if this attempt is still the current one. Raises BookBusy."""
    key, catalog = batch.key, intake.services.catalog
    with catalog.claim(key.school, key.book):
        if _waiting(batch, intake):
            catalog.failed(key, code, message)


def remove_superseded(key: VersionKey, intake: Intake) -> None:
    """Remove the version if another one replaced it. Raises BookBusy, RetryableError."""
    services = intake.services
    with services.catalog.claim(key.school, key.book), suppress(NotFound):
        if key in {version.key for version in superseded(services.catalog.book(key.school, key.book))}:
            remove_version(key, services)


def _finish(version: BookVersion, intake: Intake) -> None:
    key, services = version.key, intake.services
    book = load_book(services.bucket, key)
    chunks = load_chunks(services.bucket, key, book)
    batches = [_batch_of(number, version, intake) for number in range(version.batches)]
    vectors = indexing.keep_batches(key, book, chunks, batches, services)
    beside = key.is_companion or is_reembedded(key, services)
    finish_version(key, book, chunks, vectors, services, beside=beside)


def _batch_of(number: int, version: BookVersion, intake: Intake) -> indexing.Batch:
    """The stored vectors of a batch; embedded first if they are not stored yet."""
    bucket, key = intake.services.bucket, version.key
    rows = rows_of(number, version.batches, version.sentences or 0)
    with suppress(NotFound):
        return rows, load_part(bucket, key, rows)
    vectors = indexing.embed_batch(key, intake.chunks(key), rows, intake.services)
    save_part(bucket, key, rows, vectors)
    return rows, vectors


def _is_last(batch: Batch, intake: Intake) -> bool:
    """Record that the batch is done; whether no other batch is missing, or the version needs none any more."""
    try:
        version = intake.services.catalog.batch_done(batch.key, batch.number)
    except NotFound:
        return True
    return version.state is not VersionState.INDEXING or version.batches_done == version.batches


def _waiting(batch: Batch, intake: Intake) -> BookVersion | None:
    """The version if this attempt still waits for vectors and no newer version is active, else None."""
    book = _book_of(batch.key, intake)
    if book is None:
        return None
    newer = takewhile(lambda version: version != book.active, book.versions)
    wanted = (batch.key, batch.began, VersionState.INDEXING)
    return next((version for version in newer if (version.key, version.began, version.state) == wanted), None)


def _clear_up(key: VersionKey, intake: Intake) -> None:
    """Remove unused parts and queue the removal of replaced versions."""
    book = _book_of(key, intake)
    states = {version.key: version.state for version in book.versions} if book else {}
    if states.get(key) in (None, VersionState.READY):
        remove_parts(intake.services.bucket, key)
    for version in superseded(book) if book else ():
        intake.queue.add(remove_task(version))


def _book_of(key: VersionKey, intake: Intake) -> CatalogBook | None:
    with suppress(NotFound):
        return intake.services.catalog.book(key.school, key.book)
    return None
