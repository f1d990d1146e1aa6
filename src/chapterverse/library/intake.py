"""The way of a source's file into the library, and how uploaded files come and go.

    receive_file    an event, or an upload over HTTP: reads the stored file; tasks index it
    add_book        the command line: has the file; this process indexes it
    receive         the one driver of both: parse in the sandbox, chunk, store, index, activate (steps in versions.py)
    run_task        a task of the queue, received or indexed; what cannot be done is recorded
    index_batch     such a task: embeds one batch of chunks and stores its vectors as a part; the last one continues with
    finish          joins the parts, writes the index, activates the version

Events and tasks come at least once, in any order and in parallel, so each handler reads the current state first and does the
rest; final writes hold the claim on the source, unlike parts. A file that was replaced is left to the event of its replacement.
Each stored file is a source of its own, also if it is a copy."""

import logging
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import partial
from itertools import takewhile
from pathlib import PurePath
from typing import Any

from bookreader.html.files import is_epub
from bookreader.source import SET_ASIDE, version_of
from chapterverse.core import errors
from chapterverse.core.book import BookId, Collection, Limits
from chapterverse.core.hits import bytes_of_arrays
from chapterverse.core.names import department_of, in_department
from chapterverse.core.tasks import StoredFile, Task, TaskKind
from chapterverse.core.turns import LateWork
from chapterverse.library import artefacts, model, versions
from chapterverse.library import chunks as chunking
from chapterverse.library.model import BookVersion, CatalogBook, VersionKey, VersionState, folder_of
from chapterverse.library.services import CollectionServices, Intake, as_pdf
from chapterverse.messages import Message, message

log = logging.getLogger(__name__)
NOT_PARSED = (VersionState.UPLOADED, VersionState.PARSING)
READING = LateWork()  # of this process's schools


class Outcome(StrEnum):
    """Result of adding a source."""

    ADDED = "added"
    REPLACED = "replaced"  # another version was searched before
    REBUILT = "rebuilt"  # the same version, of which the index or the artefacts lacked something
    UNCHANGED = "unchanged"  # the same version: nothing to do


@dataclass(frozen=True, slots=True)
class AddedBook:
    """The source after adding it, the outcome, and if it was replaced, the source before."""

    book: CatalogBook
    outcome: Outcome
    replaced: CatalogBook | None = None


@dataclass(frozen=True, slots=True)
class ReceivedFile:
    """A file's bytes and the version that they become. title, authors: the uploader's, which override those in the file."""

    key: VersionKey
    data: bytes
    name: str
    title: str | None = None
    authors: tuple[str, ...] = ()


def receive(file: ReceivedFile, services: CollectionServices, limits: Limits, indexing: versions.Indexing) -> Outcome:
    """Bring a file to search: begin, parse, chunk, index, activate. The only way of a file into the library.

    The source is claimed. If the version is being indexed by tasks, its tasks are queued again. If it is active, what is
    missing of it is restored in this process, and other versions of the source are removed. Raises TooLarge (collection full),
    BadBook (recorded on the source), and every RetryableError of the ports."""
    key, source = file.key, services.catalog.find(file.key.school, file.key.book)
    active, newest = (source.active, source.newest) if source else (None, None)
    outcome = _outcome(key, active, services)
    if newest and newest.key == key and versions.is_resumed(newest, indexing):
        return outcome
    if outcome in (Outcome.ADDED, Outcome.REPLACED):
        _build(file, services, limits, indexing)
        return outcome
    if outcome is Outcome.REBUILT:  # an active version stays ready: no task would be done for it
        _build(file, services, limits, versions.IndexHere(indexing.progress))
    services.catalog.describe(key.school, key.book, file.title, file.authors)
    source = services.catalog.book(key.school, key.book)
    old = versions.superseded(source)
    for version in source.versions:
        if version in old or version.key.version != key.version:
            versions.remove_version(version.key, services)
    return outcome


def _build(file: ReceivedFile, services: CollectionServices, limits: Limits, indexing: versions.Indexing) -> None:
    key, refusal = file.key, services.catalog.refusal(file.key.school, file.key.version, SET_ASIDE)
    services.catalog.begin(key, file.name, limits.of(key.collection), title=file.title, authors=file.authors)
    if refusal:
        services.catalog.failed(key, *refusal)
        raise errors.BadBook(*refusal)
    book = versions.parse_version(key, file.data, services, limits, partial(indexing.progress, versions.Stage.PARSING))
    indexing.run(key, book, versions.chunk_version(key, book, services), services)


def add_book(
    data: bytes,
    file_name: str,
    school: str,
    services: CollectionServices,
    limits: Limits,
    *,
    title: str | None = None,
    authors: Sequence[str] = (),
    department: str | None = None,
    indexing: versions.Indexing | None = None,
) -> AddedBook:
    """Add a source in this process; returns when it can be searched, or, if tasks index it, as soon as it is parsed.

    title, authors: override those of the file. department: of the help desk. The same bytes again, under any name: UNCHANGED.
    Other bytes under a known name: a new version, which replaces the old one when it is complete. Raises as receive does, and
    BookBusy; an interruption is recorded on the source."""
    name = in_department(PurePath(file_name).name, department)
    try:
        data = _as_pdf(data, school, services, limits)
    except errors.BadBook as error:
        if error.reason in SET_ASIDE:
            key = key_of(data, name, school, services)
            with services.catalog.claim(school, key.book):
                services.catalog.begin(key, name)
                services.catalog.failed(key, error.reason, error.message)
        raise
    key = key_of(data, name, school, services)
    with services.catalog.claim(school, key.book):
        before = services.catalog.find(school, key.book)
        versions.give_up_abandoned(school, services)
        file = ReceivedFile(key, data, name, title, tuple(authors))
        try:
            with versions.interruption_recorded(key, services):
                outcome = receive(file, services, limits, indexing or versions.IndexHere())
        except errors.BadBook as error:
            if before is None and error.reason == "not_a_pdf":  # a file of another kind is no source
                versions.remove_claimed_book(school, key.book, services)
            raise
        replaced = before if outcome is Outcome.REPLACED else None
        return AddedBook(services.catalog.book(school, key.book), outcome, replaced)


def key_of(data: bytes, file_name: str, school: str, services: CollectionServices) -> VersionKey:
    """Key of the version that a file becomes; a file with the bytes of a source in the same department is that source."""
    version, books = version_of(data), services.catalog.books(school)
    own, alike = versions.book_of(file_name, books), [book for book in books if book.department == department_of(file_name)]
    alive = {book.id: {each.key.version for each in book.versions if each.state is not VersionState.FAILED} for book in alike}
    holders = [id for id, its in alive.items() if version in its]
    book = own if own in holders or not holders else holders[0]
    return services.key(school, book, version)


def _outcome(key: VersionKey, active: BookVersion | None, services: CollectionServices) -> Outcome:
    """The outcome of adding this version. active: the version searched now."""
    if active is None:
        return Outcome.ADDED
    if active.key != key:
        return Outcome.REPLACED
    whole = chunking.is_stored(services.bucket, key) and versions.is_whole(active, services)
    return Outcome.UNCHANGED if whole else Outcome.REBUILT


def receive_file(file: StoredFile, intake: Intake) -> None:
    """Parse a stored file and queue its indexing; does nothing if the file is gone.

    If its pages need text recognition, which limits.recognition_seconds leaves to another process, a task hands it over; until
    then the source is being parsed.

    Refusals are recorded on the source, also that of a misplaced file. Raises BadRequest for a name that no source can have,
    BookBusy and every other RetryableError."""
    school, _ = model.parts_of(file.name)
    if model.is_misplaced(file.name):
        refuse_file(file, "misplaced", message("file_misplaced"), intake)
        return
    limits = replace(intake.limits, niceness=READING.niceness(school))
    with READING.counted(school):
        _receive_file(file, replace(intake, limits=limits))


def _receive_file(file: StoredFile, intake: Intake) -> None:
    school, file_name = model.parts_of(file.name)
    services = intake.services
    indexing = versions.IndexByTasks(intake.queue, intake.batch_sentences, file.generation)
    try:
        if (data := _readable(file, intake)) is None:
            return
        with versions.claimed_book(file_name, school, services.catalog) as book:
            if current_file(file.name, intake) == file:  # else a newer file of this name was received since it was read
                key = services.key(school, book, version_of(data))
                receive(ReceivedFile(key, data, file_name), services, intake.limits, indexing)
    except errors.TooLarge as error:
        refuse_file(file, error.code, error.message, intake)
    except errors.RecognitionElsewhere:
        intake.queue.add(versions.receive_task(file))
    except (errors.NotFound, errors.BadBook):
        return  # deleted or replaced, which has its own event; or refused by the parser, which is recorded


def uses_of(source: CatalogBook, intake: Intake) -> list[Collection]:
    """The other collections that search the same file: their source has its id, its file's name and one of its versions."""
    others = (each for each in intake.collections.values() if each.collection is not intake.services.collection)
    found = ((each.collection, each.catalog.find(source.school, source.id)) for each in others)
    return [each for each, its in found if its and its.is_same(source)]


def use_in(
    collection: Collection, source: CatalogBook, key: VersionKey, intake: Intake, indexing: versions.Indexing | None = None
) -> None:
    """Let another collection search this version of the source, too, and none begun there before: its file and parsed book are
    copied there, and chunked and indexed as that collection needs them. Corrections are copied once.

    intake: of the source's collection. indexing: by default tasks. Raises BadRequest if the collection takes no such file or
    has another one of that name, NotFound if the version is not parsed, TooLarge if it is full, BookBusy, and as the
    ports do."""
    services, school = intake.of(collection).services, source.school
    target = services.key(school, source.id, key.version)
    model.parts_of(folder_of(school, collection) + source.file_name)
    with services.catalog.claim(school, source.id):
        known = services.catalog.find(school, source.id)
        if known and known.active and known.active.key == target and known.active == known.newest:
            return
        if known and not known.is_same(source):
            raise errors.BadRequest("use_of_other_file", file=source.file_name)
        for name in (artefacts.source_name, artefacts.book_name):
            services.bucket.write(name(target), intake.services.bucket.read(name(key)))
        if key.model == target.model:
            with suppress(errors.NotFound):  # of sentences that are chunks there are no vectors beside those of the chunks
                stored = intake.services.bucket.read(chunking.sentences_name(key))
                services.bucket.write(chunking.sentences_name(target), stored)
        file = ReceivedFile(target, services.bucket.read(artefacts.source_name(target)), source.file_name)
        receive(file, services, intake.limits, indexing or versions.IndexByTasks(intake.queue, intake.batch_sentences, "use"))
        if known is None:
            services.catalog.correct(school, source.id, source.corrections)


def reembed(school: str, intake: Intake, indexing_of: Callable[[CatalogBook], versions.Indexing]) -> Iterator[CatalogBook]:
    """Index each book that another model or chunker made searchable anew, by those of the intake; yields these books.

    No book is parsed again. Until its turn is over a book is not found; the same call finishes what was killed.
    Raises NotFound if a parsed book is not stored, BookBusy if another process holds it, and as the ports do."""
    services = intake.services
    versions.give_up_abandoned(school, services)
    for book in services.catalog.books(school):
        if book.active and book.active.key != (key := services.key(school, book.id, book.active.key.version)):
            with services.catalog.claim(school, book.id), versions.interruption_recorded(key, services):
                source, indexing = services.catalog.book(school, book.id), indexing_of(book)
                if not any(each.key == key and versions.is_resumed(each, indexing) for each in source.versions):
                    parsed, most = artefacts.load_book(services.bucket, key), intake.limits.of(key.collection)
                    services.catalog.begin(key, source.file_name, most, title=source.own_title, authors=source.own_authors)
                    indexing.run(key, parsed, versions.chunk_version(key, parsed, services), services)
            yield book
        if versions.superseded(book):  # a process was killed before it removed them
            with services.catalog.claim(school, book.id):
                versions.remove_superseded(school, book.id, services)


def use_everywhere(key: VersionKey, intake: Intake, indexing: versions.Indexing | None = None) -> None:
    """Let the other uses search this version, too, with its sentences' vectors: those that the source has; of a new source Ask
    and lectures, of a book of the essays and of a zip textbooks, too. A use that is full or has another file of that name is
    left out. Only the source that has the file gives it on: a use may still be indexing an older one.

    The source is claimed. Raises BookBusy, and as the ports do."""
    source = intake.services.catalog.book(key.school, key.book)
    if indexing is None and not current_file(folder_of(key.school, key.collection) + source.file_name, intake):
        return
    for collection in uses_of(source, intake) if source.active else _first_uses(source, key):
        with suppress(errors.BadRequest, errors.TooLarge):
            use_in(collection, source, key, intake, indexing)


def _first_uses(source: CatalogBook, key: VersionKey) -> list[Collection]:
    """What a new source is for besides."""
    match key.collection:
        case Collection.BOOKS:
            return [Collection.DOCUMENTS, Collection.TEXTBOOK, Collection.LECTURES]
        case Collection.DOCUMENTS if source.file_name.lower().endswith(".zip"):
            return [Collection.TEXTBOOK, Collection.LECTURES]
        case Collection.DOCUMENTS:
            return [Collection.LECTURES]
        case Collection.TEXTBOOK:
            return [Collection.DOCUMENTS, Collection.LECTURES]
    return []


def remove_everywhere(school: str, book: BookId, intake: Intake) -> CatalogBook:
    """Remove a source from all its uses, with its files; returns it as it was. Waits a little for one that is being indexed.
    After a kill the same call removes the rest. Raises NotFound, BookBusy, BucketUnavailable."""
    with intake.services.catalog.claim(school, book, versions.PATIENCE):  # nobody gives it to another use meanwhile
        source = intake.services.catalog.book(school, book)
        for collection in uses_of(source, intake):
            with suppress(errors.NotFound):
                versions.remove_book(school, book, intake.of(collection).services, intake.uploads)
        removed = versions.remove_claimed_book(school, book, intake.services)
    intake.uploads.delete(folder_of(school, intake.services.collection) + source.file_name)
    return removed


def _readable(file: StoredFile, intake: Intake) -> bytes | None:
    """The file's bytes, of an e-book those of a PDF made from it; None if it is refused, which is recorded."""
    data = intake.uploads.read(file, intake.limits.bytes)
    try:
        return _as_pdf(data, model.parts_of(file.name)[0], intake.services, intake.limits)
    except errors.BadBook as error:
        refuse_file(file, error.reason, error.message, intake, version_of(data))
        return None


def _as_pdf(data: bytes, school: str, services: CollectionServices, limits: Limits) -> bytes:
    """An e-book as a PDF; anything else as it is. Raises BadBook, also for an e-book that was set aside before."""
    if is_epub(data) and (refusal := services.catalog.refusal(school, version_of(data), SET_ASIDE)):
        raise errors.BadBook(*refusal)
    return as_pdf(data, limits)


def refuse_file(file: StoredFile, code: str, message: Message, intake: Intake, version: str | None = None) -> None:
    """Record why the file is refused, on the version being parsed, else on one made for it.

    version: of its bytes, if they were read. Does nothing if the file is gone. Raises BadRequest for its name, BookBusy."""
    school, file_name = model.parts_of(file.name)
    catalog = intake.services.catalog
    with versions.claimed_book(file_name, school, catalog) as book:
        if current_file(file.name, intake) == file:
            known = [source for source in catalog.books(school) if source.id == book]
            stuck = [each.key for source in known for each in source.versions if each.state in NOT_PARSED]
            made = intake.services.key(school, book, version or version_of(f"{file.name}\0{file.generation}".encode()))
            if not stuck:
                catalog.begin(made, file_name)
            for key in stuck or [made]:
                catalog.failed(key, code, message)


def file_deleted(name: str, intake: Intake) -> None:
    """Remove the source of a deleted file, unless a newer file has the name again; and its uses, unless one of them has a file
    of its own: they are of that one then.

    Files refused because the collection was full are received again. Raises BadRequest for a name that no source can have,
    BookBusy, and as receive_file does."""
    school, file_name = model.parts_of(name)
    catalog = intake.services.catalog
    with versions.claimed_book(file_name, school, catalog) as book, suppress(errors.NotFound):
        if not current_file(name, intake):
            uses = uses_of(catalog.book(school, book), intake)
            if not any(current_file(folder_of(school, use) + file_name, intake) for use in uses):
                for use in uses:  # first, so that the event finds them if it comes again
                    versions.remove_book(school, book, intake.of(use).services)
            versions.remove_claimed_book(school, book, intake.services)
    full = errors.code_of(errors.TooLarge)
    refused = {book.file_name for book in catalog.books(school) if book.newest and book.newest.reason == full}
    _receive_each((file for file, of_name in stored_files(school, intake) if of_name in refused), intake)


def resume(school: str, intake: Intake) -> None:
    """Queue the tasks that a process with its queue in memory left undone, at its start; an interrupted file is read again."""
    books = intake.services.catalog.books(school)
    by_tasks = versions.IndexByTasks(intake.queue, intake.batch_sentences, "resume")
    for book in books:
        if book.newest:
            versions.is_resumed(book.newest, by_tasks)
        if versions.superseded(book):
            with suppress(errors.RetryableError), intake.services.catalog.claim(school, book.id):  # else with the next version
                versions.remove_superseded(school, book.id, intake.services)
    newest = {book.file_name: book.newest for book in books if book.newest}
    undone = (None, versions.INTERRUPTED[0])
    settled = {name for name, its in newest.items() if its.reason not in undone or versions.waits_for_tasks(its)}
    for file, of_name in stored_files(school, intake):
        if of_name not in settled:
            intake.queue.add(versions.receive_task(file))


def _receive_each(files: Iterable[StoredFile], intake: Intake) -> None:
    """Receive every file even if one fails; re-raise the last RetryableError."""
    waits: errors.RetryableError | None = None
    for file in files:
        try:
            receive_file(file, intake)
        except errors.RetryableError as error:
            waits = error
    if waits:
        raise waits


def stored_files(school: str, intake: Intake) -> Iterator[tuple[StoredFile, str]]:
    """The school's files of this collection, with their names below its folder."""
    collection = intake.services.collection
    for file in intake.uploads.files(folder_of(school, collection)):
        with suppress(errors.BadRequest):
            if model.collection_of(file.name) is collection:
                yield file, model.parts_of(file.name)[1]


def current_file(name: str, intake: Intake) -> StoredFile | None:
    """The file that has the name now."""
    with suppress(errors.NotFound):
        return intake.uploads.find(name)
    return None


@dataclass(frozen=True, slots=True)
class Work:
    """How a kind of task is run. about: what its body says; do: the use case; record: the failure."""

    about: type[Any]
    do: Callable[[Any, Intake], None]
    record: Callable[[Any, str, Message, Intake], None]


def index_batch(batch: versions.IndexTask, intake: Intake) -> None:
    """Embed and store one batch; after the last one, finish the version.

    For a version that is gone, failed, ready or begun again it only cleans up. Raises RetryableError, and PermanentError if the
    version cannot become ready."""
    if version := _waiting(batch, intake):
        _batch_of(batch.batch, version, intake)
        with suppress(errors.NotFound):
            now = intake.services.catalog.batch_done(batch.key, batch.batch)
            if now.state is VersionState.INDEXING and now.batches_done < now.batches:
                return
    finish(batch, intake)


def finish(batch: versions.IndexTask, intake: Intake) -> None:
    """Join the parts, give the version to the source's other uses, index it, activate it, clean up. Raises as index_batch does,
    and BookBusy."""
    key, services = batch.key, intake.services
    with services.catalog.claim(key.school, key.book):
        if version := _waiting(batch, intake):
            book = artefacts.load_book(services.bucket, key)
            chunks = chunking.load_chunks(services.bucket, key, book)
            batches = [_batch_of(number, version, intake) for number in range(version.batches)]
            vectors = versions.store_batches(key, book, chunks, batches, services)
            use_everywhere(key, intake)  # again after a crash: the version is ready only afterwards
            versions.finish_version(key, book, chunks, vectors, services)
        source = services.catalog.find(key.school, key.book)
        states = {version.key: version.state for version in source.versions} if source else {}
        if states.get(key) in (None, VersionState.READY):  # the parts are not used any more
            versions.remove_parts(services.bucket, key)
        versions.remove_superseded(key.school, key.book, services)


def give_up(batch: versions.IndexTask, code: str, message: Message, intake: Intake) -> None:
    """Record why the version cannot become ready, if this attempt is still the current one. Raises BookBusy."""
    key, catalog = batch.key, intake.services.catalog
    with catalog.claim(key.school, key.book):
        if _waiting(batch, intake):
            catalog.failed(key, code, message)


def _batch_of(number: int, version: BookVersion, intake: Intake) -> versions.EmbeddedBatch:
    """The stored vectors of a batch; embedded first if they are not stored yet."""
    bucket, key = intake.services.bucket, version.key
    rows = versions.rows_of(number, version.batches, version.sentences or 0)
    part = f"part-{rows.start}-{rows.stop}-{versions.FORMAT}"
    with suppress(errors.NotFound):
        return rows, artefacts.load_vectors(bucket, key, part)
    known = {} if chunking.is_by_sentences(key) else versions.known_vectors(key, intake.services)
    vectors = versions.embed_batch(key, intake.chunks(key), rows, intake.services, known)
    bucket.write(artefacts.vectors_name(key, part), bytes_of_arrays(vectors))
    return rows, vectors


def _waiting(batch: versions.IndexTask, intake: Intake) -> BookVersion | None:
    """The version if this attempt still waits for vectors and no newer version is active, else None."""
    book = intake.services.catalog.find(batch.key.school, batch.key.book)
    if book is None:
        return None
    newer = takewhile(lambda version: version != book.active, book.versions)
    wanted = (batch.key, batch.began, VersionState.INDEXING)
    return next((version for version in newer if (version.key, version.began, version.state) == wanted), None)


WORK: Mapping[TaskKind, Work] = {
    TaskKind.RECEIVE: Work(StoredFile, receive_file, refuse_file),
    TaskKind.INDEX: Work(versions.IndexTask, index_batch, give_up),
}


def run_task(task: Task, attempt: int, intake: Intake) -> None:
    """Run the task, or record on its source why it cannot be done.

    attempt: number of this delivery, from 1; beyond intake.attempts the task is given up. Every error that is
    raised (RetryableError, BadRequest of `understood`, a defect) causes another delivery."""
    what = versions.understood(task, WORK[task.kind].about, attempt, intake.attempts)
    if what is None:
        return
    if attempt > intake.attempts:
        _record(what, task, "gave_up", message("book_gave_up", attempts=intake.attempts), intake)
        return
    try:
        with intake.turns.of(task.school).taken(behind=True):
            WORK[task.kind].do(what, _intake_of(what, intake))
    except errors.PermanentError as error:
        _record(what, task, error.code, error.message, intake)


def _record(what: Any, task: Task, code: str, message: Message, intake: Intake) -> None:
    """Record the failure on the source, if it is still there."""
    log.warning("task not done", extra={"task": task.name, "error": code})
    with suppress(errors.PermanentError):
        WORK[task.kind].record(what, code, message, _intake_of(what, intake))


def _intake_of(what: Any, intake: Intake) -> Intake:
    return intake.of(model.collection_of(what.name) if isinstance(what, StoredFile) else what.key.collection)
