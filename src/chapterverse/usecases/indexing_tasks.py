"""A version's sentences indexed batch by batch, each a task.

    index_batch    embeds one batch and keeps its vectors as a part; the last one goes on to
    finish         joins the parts, writes the index, makes the version the one that is searched

Tasks come at least once, in any order, several at a time, and whoever does one may be killed. So each first looks how far
things have come, and does what is left. What writes for good has claimed the book; parts are written without, and taken away
again by whoever finds them where nobody needs them."""

from contextlib import suppress
from itertools import takewhile

from chapterverse.errors import NotFound
from chapterverse.messages import Message
from chapterverse.model import BookVersion, ShelvedBook, VersionKey, VersionState
from chapterverse.usecases import embedding
from chapterverse.usecases.artefacts import load_book
from chapterverse.usecases.chunks import load_chunks
from chapterverse.usecases.parts import load_part, remove_parts, rows_of, save_part
from chapterverse.usecases.reembedding_tasks import go_on_reembedding, is_reembedded
from chapterverse.usecases.services import Intake
from chapterverse.usecases.tasks import Batch, remove_task
from chapterverse.usecases.versions import finish_version, remove_version, superseded


def index_batch(batch: Batch, intake: Intake) -> None:
    """The vectors of that batch are kept; if they were the last ones, the version is searched.

    Of a version that is gone, failed, ready or begun again: nothing happens but that nothing is left behind. Raises
    RetryableError; a PermanentError means that the version cannot become ready."""
    if version := _waiting(batch, intake):
        _batch_of(batch.number, version, intake)
        if not _is_last(batch, intake):
            return
    finish(batch, intake)


def finish(batch: Batch, intake: Intake) -> None:
    """Whatever is left to do for the version when none of its batches is. Raises as index_batch does, and BookBusy."""
    with intake.services.catalog.claim(batch.key.school, batch.key.book):
        if version := _waiting(batch, intake):
            _finish(version, intake)
        _clear_up(batch.key, intake)
    if not batch.key.is_beside:
        go_on_reembedding(batch.key.school, intake)


def give_up(batch: Batch, code: str, message: Message, intake: Intake) -> None:
    """The version cannot become ready, and why; if it is still that attempt at it. Raises BookBusy."""
    key, catalog = batch.key, intake.services.catalog
    with catalog.claim(key.school, key.book):
        if _waiting(batch, intake):
            catalog.failed(key, code, message)


def remove_superseded(key: VersionKey, intake: Intake) -> None:
    """Remove the version, if another one has taken its place. Raises BookBusy, RetryableError."""
    services = intake.services
    with services.catalog.claim(key.school, key.book), suppress(NotFound):
        if key in {version.key for version in superseded(services.catalog.book(key.school, key.book))}:
            remove_version(key, services)


def _finish(version: BookVersion, intake: Intake) -> None:
    key, services = version.key, intake.services
    book = load_book(services.bucket, key)
    chunks = load_chunks(services.bucket, key, book)
    batches = [_batch_of(number, version, intake) for number in range(version.batches)]
    vectors = embedding.keep_batches(key, book, chunks, batches, services)
    beside = key.is_beside or is_reembedded(key, services)
    finish_version(key, book, chunks, vectors, services, beside=beside)


def _batch_of(number: int, version: BookVersion, intake: Intake) -> embedding.Batch:
    """The vectors of a batch, now also kept; embedded only if they are not kept already."""
    bucket, key = intake.services.bucket, version.key
    rows = rows_of(number, version.batches, version.sentences or 0)
    with suppress(NotFound):
        return rows, load_part(bucket, key, rows)
    vectors = embedding.embed_batch(key, intake.chunks(key), rows, intake.services)
    save_part(bucket, key, rows, vectors)
    return rows, vectors


def _is_last(batch: Batch, intake: Intake) -> bool:
    """Note that it is done: whether there is no other to wait for, be it that the version needs none any more."""
    try:
        version = intake.services.catalog.batch_done(batch.key, batch.number)
    except NotFound:
        return True
    return version.state is not VersionState.INDEXING or version.batches_done == version.batches


def _waiting(batch: Batch, intake: Intake) -> BookVersion | None:
    """The version, if it waits for its vectors, in that attempt, and no newer one is searched."""
    book = _book_of(batch.key, intake)
    if book is None:
        return None
    newer = takewhile(lambda version: version != book.active, book.versions)
    wanted = (batch.key, batch.began, VersionState.INDEXING)
    return next((version for version in newer if (version.key, version.began, version.state) == wanted), None)


def _clear_up(key: VersionKey, intake: Intake) -> None:
    """Parts that nobody needs, versions that another has taken the place of."""
    book = _book_of(key, intake)
    states = {version.key: version.state for version in book.versions} if book else {}
    if states.get(key) in (None, VersionState.READY):
        remove_parts(intake.services.bucket, key)
    for version in superseded(book) if book else ():
        intake.queue.add(remove_task(version))


def _book_of(key: VersionKey, intake: Intake) -> ShelvedBook | None:
    with suppress(NotFound):
        return intake.services.catalog.book(key.school, key.book)
    return None
