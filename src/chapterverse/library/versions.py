"""The steps of a version from a file to being searched: parse, chunk, index, finish, remove; and the bodies of tasks.

receive in intake.py takes the steps in turn. A version is indexed in this process (IndexHere) or by tasks (IndexByTasks), which
intake.py runs. A task's name is made from its body, so the same work is the same task.

The order of writes makes a kill harmless: artefacts are written before vectors are indexed, a version is activated when
everything it needs is stored, and the version that it replaces is removed last. Two files of the same bytes are two sources
with the same vectors, which are in the index once; these vectors are claimed too before they are written or removed.
A call that was killed is finished by repeating it.

Each batch of an index task is stored as a part until all are there:

    {school}/{book}/{version}/vectors-{model}.npy-part-{first}-{end}-4    (n, d) float32, unit norm: see EmbeddedBatch

Its name begins with that of the whole, so both are deleted together, and says which rows it holds, so no batch of another size
is mistaken for it. A new version embeds only texts that the version before does not have, but for sentences in tasks."""

import gc
import logging
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass, replace
from datetime import datetime
from enum import StrEnum
from itertools import dropwhile
from pathlib import PurePath
from traceback import clear_frames
from typing import TYPE_CHECKING, TypeVar

import numpy as np
from numpy.typing import NDArray
from pydantic import ValidationError

from chapterverse.core.book import Book, BookId, Chunk, Collection, Limits, SentenceId
from chapterverse.core.errors import BadBook, BadRequest, BookBusy, EmbedderUnavailable, IndexUnavailable, NotFound
from chapterverse.core.hits import SAME, Granularity, Vectors, bytes_of_arrays
from chapterverse.core.names import fingerprint, slug
from chapterverse.core.ports import Bucket, TaskQueue, Uploads
from chapterverse.core.requests import adapter
from chapterverse.core.tasks import StoredFile, Task, TaskKind, named_task
from chapterverse.library import artefacts
from chapterverse.library import chunks as chunking
from chapterverse.library.corrections import note_topics
from chapterverse.library.model import BookVersion, CatalogBook, VersionKey, VersionState, folder_of
from chapterverse.library.services import CollectionServices
from chapterverse.messages import message

if TYPE_CHECKING:
    from chapterverse.library.store import SqlCatalog


PATIENCE = 5.0  # seconds that a removal waits for others
log = logging.getLogger(__name__)


def book_id_of(file_name: str) -> BookId:
    """The slug of the file's name with its folders, without its ending."""
    return BookId(slug(str(PurePath(file_name).with_suffix(""))))


def book_of(file_name: str, books: Sequence[CatalogBook]) -> BookId:
    """The id of the source that a file of this name is or becomes, among the school's sources.

    Another file of the same name is a new version. If a similar name ("UPPER.PDF", "upper.pdf") has the plain id, the id is
    longer."""
    plain = book_id_of(file_name)
    of_names = {book.file_name: book.id for book in books}
    taken = any(book.id == plain for book in books)
    return of_names.get(file_name) or (BookId(f"{plain}-{fingerprint(file_name)}") if taken else plain)


@contextmanager
def claimed_book(file_name: str, school: str, catalog: "SqlCatalog") -> Iterator[BookId]:
    """The id of the file's source, claimed until the block ends. Raises BookBusy."""
    book = book_of(file_name, catalog.books(school))
    with catalog.claim(school, book):
        if book_of(file_name, catalog.books(school)) != book:
            raise BookBusy("book_name_taken_meanwhile")
        yield book


def parse_version(
    key: VersionKey, data: bytes, services: CollectionServices, limits: Limits, progress: Callable[[int, int], None]
) -> Book:
    """The stored book; parsed first if it is not stored yet. Raises BadBook, recorded on the version."""
    services.catalog.parsing(key)
    with suppress(NotFound):
        return artefacts.load_book(services.bucket, key)
    try:
        book = services.parser(data, key.book, limits, progress)
    except BadBook as error:
        services.catalog.failed(key, error.reason, error.message)
        raise
    services.bucket.write(artefacts.source_name(key), data)
    artefacts.save_book(services.bucket, key, book)
    return book


def chunk_version(key: VersionKey, book: Book, services: CollectionServices) -> list[Chunk]:
    """The stored chunks; made first if they are not stored yet. Raises as the embedder does, which counts tokens."""
    with suppress(NotFound):
        return chunking.load_chunks(services.bucket, key, book)
    chunks = services.chunker(book)
    chunking.save_chunks(services.bucket, key, chunks)
    return chunks


KNOWN = 16  # vectors, evenly spread; if one may be missed, a gap of an eighth of the book is still noticed
Vector = NDArray[np.float32]

Known = Mapping[tuple[str, str], Vector]
"""Vectors that need no embedding, by what they are made from: an entry's question and its text, or "" and a sentence."""


def known_vectors(key: VersionKey, services: CollectionServices) -> Known:
    """The vectors of the active version if the same model made them, and those of the same file's sentences: among the essays'
    books, or copied from the collection that gave the file to this one."""
    active = services.catalog.book(key.school, key.book).active
    of_book = replace(key, unit=Granularity.SENTENCE.value, collection=Collection.BOOKS)
    shared = {**_stored(of_book, services), **_of_sentences(key, services)}
    if active is None or active.key.model != key.model or active.key == of_book:
        return shared
    return {**_stored(active.key, services), **shared}


def _stored(key: VersionKey, services: CollectionServices) -> Known:
    """The vectors of a version's entries and sentences; none unless all are stored."""
    try:
        chunks, vectors = chunking.load_chunks(services.bucket, key), artefacts.load_vectors(services.bucket, key)
        every = dict(zip(chunks, vectors, strict=True))
        if chunking.is_by_sentences(key):
            return {("", chunk.text): vector for chunk, vector in every.items()}
        entries = {(chunk.question, chunk.text): vector for chunk, vector in every.items() if chunk.question}
        return {**entries, **_of_sentences(key, services)}
    except (NotFound, ValueError):  # fewer vectors than chunks: the book is being repaired
        return {}


def _of_sentences(key: VersionKey, services: CollectionServices) -> Known:
    """The stored vectors of sentences that are no chunks. Raises NotFound if the book is not stored."""
    stored = chunking.load_sentence_vectors(services.bucket, key)
    sentences = services.text_of(key).sentences(SentenceId(id.decode()) for id in stored.ids.tolist())
    return {("", one.text): vector for one, vector in zip(sentences, stored.vectors.astype(np.float32), strict=True)}


EmbeddedBatch = tuple[range, Vectors]
"""Rows of chunks, and (m + n, d): a vector for each of rows_by_text among them, then one for each sentence that no chunk before
them has."""


def embed_batch(key: VersionKey, chunks: Sequence[Chunk], rows: range, services: CollectionServices, known: Known) -> Vectors:
    """The vectors of an EmbeddedBatch. chunks: all of the version. Raises NotFound, EmbedderUnavailable if the embedder runs
    another model, and as it does."""
    embedder, wanted = services.embedder, chunks[rows.start : rows.stop]
    if embedder.model != key.model:
        raise EmbedderUnavailable("no_embedder_of_model", model=key.model)
    own = [chunks[row] for row in chunking.rows_by_text(chunks) if row in rows]
    new = wanted if chunking.is_by_sentences(key) else services.text_of(key).sentences(chunking.first_seen(chunks, rows))
    texts = [one.text for one in new]
    own_texts = [(one.question, one.text) for one in own]
    made = [
        artefacts.with_known(keys, known, embed)
        for keys, embed in (
            (own_texts, lambda at: chunking.embed_texts([own[row] for row in at], embedder)),
            ([("", text) for text in texts], lambda at: embedder.embed_passages([texts[row] for row in at])),
        )
        if keys
    ]
    return np.concatenate(made) if made else embedder.embed_passages([])


def store_batches(
    key: VersionKey, book: Book, chunks: Sequence[Chunk], batches: Sequence[EmbeddedBatch], services: CollectionServices
) -> Vectors:
    """Store the vectors of all batches (at least one, in order), and what re-scoring sentences needs; returns the chunks'
    vectors, (n, d)."""
    own = chunking.rows_by_text(chunks)
    parted = [(batch, sum(row in rows for row in own)) for rows, batch in batches]
    vectors = np.concatenate([batch[number:] for batch, number in parted])
    if chunking.is_by_sentences(key):  # before the vectors, whose presence means that all is stored
        artefacts.store_rescoring(services.bucket, key, artefacts.indexed(book), vectors)
    else:
        ids = chunking.first_seen(chunks, range(len(chunks)))
        chunking.save_sentence_vectors(services.bucket, key, ids, vectors)
        stored = vectors.astype(np.float16).astype(np.float32)  # made again, they are equal
        vectors = chunking.means_of(chunks, ids, stored)
        vectors[own] = np.concatenate([batch[:number] for batch, number in parted])
    services.bucket.write(artefacts.vectors_name(key), bytes_of_arrays(vectors))
    return vectors


def fill_index(key: VersionKey, book: Book, chunks: list[Chunk], vectors: Vectors, services: CollectionServices) -> None:
    """Write a version's chunks to the index, replacing what it holds of that version. Raises IndexUnavailable."""
    if services.words and not chunking.is_by_sentences(key):  # essays use no keyword search (S1-15)
        services.words.write(key.partition, key.version, [(chunk.id, chunk.text) for chunk in chunks])
    services.index.write(key.partition, key.version, chunking.records_of(book, chunks), vectors)
    if services.index.count(key.partition, key.version) != len(chunks):
        raise IndexUnavailable("index_lost_sentences")


def is_whole(version: BookVersion, services: CollectionServices) -> bool:
    """Whether the index holds as many chunks as it should and finds the stored vectors, of which KNOWN are looked for.

    The count alone is not enough: Chroma counts chunks whose vectors it has lost. One of KNOWN vectors may be missed, because
    the search is approximate."""
    key = version.key
    try:
        if services.index.count(key.partition, key.version) != version.sentences:
            return False
        stored = artefacts.load_vectors(services.bucket, key)
        known = stored[np.linspace(0, len(stored) - 1, min(KNOWN, len(stored))).astype(int)]
        nearest = services.index.search(key.partition, known, 1, [key.version])
        held = sum(bool(hits) and hits[0].score > 1 - SAME for hits in nearest)
        return held >= len(known) - len(known) // KNOWN
    except (IndexUnavailable, NotFound):
        return False


def repair_index(school: str, services: CollectionServices) -> list[CatalogBook]:
    """Rebuild every searched book that the index does not hold whole; returns those books. Call it at the start.

    Books that another process holds are skipped. Raises NotFound if nothing is stored of a book, IndexUnavailable."""
    repaired = []
    for book in services.catalog.books(school):
        with suppress(BookBusy):
            if make_whole(book, services):
                repaired.append(book)
    return repaired


def make_whole(book: CatalogBook, services: CollectionServices, anew: bool = False) -> bool:
    """Fill the index with what is searched of the book if it is not whole, or anew; whether it was filled. The book stays
    searchable meanwhile.

    Raises NotFound if nothing is stored of it, BookBusy, IndexUnavailable."""
    if book.active is None or not (anew or not is_whole(book.active, services)):
        return False
    with services.catalog.claim(book.school, book.id):
        active = services.catalog.book(book.school, book.id).active  # the first look may have been during a change
        if active is None or not (anew or not is_whole(active, services)):
            return False
        key, parsed = active.key, artefacts.load_book(services.bucket, active.key)
        vectors = artefacts.load_vectors(services.bucket, key)
        if chunking.is_by_sentences(key):
            artefacts.store_rescoring(services.bucket, key, artefacts.indexed(parsed), vectors)
        with services.catalog.claim_vectors(key):
            fill_index(key, parsed, chunking.load_chunks(services.bucket, key, parsed), vectors, services)
        return True


FORMAT = 4  # of a part; 3 had no vectors for parts of a sentence


def rows_of(batch: int, batches: int, sentences: int) -> range:
    """The rows of one batch, counted from 0. Batches differ in length by at most one. The division does not
    depend on a process's settings."""
    return range(batch * sentences // batches, (batch + 1) * sentences // batches)


def remove_parts(bucket: Bucket, key: VersionKey) -> None:
    """Delete all parts of the version; does nothing if there are none."""
    bucket.delete(artefacts.vectors_name(key, "part-"))


class Stage(StrEnum):
    """Step of adding a source."""

    PARSING = "parsing"
    EMBEDDING = "embedding"
    INDEXING = "indexing"


Progress = Callable[[Stage, int, int], None]
"""Called with the stage, the amount done and the total: pages for PARSING, else chunks."""


def no_progress(_stage: Stage, _done: int, _total: int) -> None:
    """Report nothing."""


EMBED_AT_ONCE = 256  # chunks between two reports of progress


@dataclass(frozen=True)
class IndexHere:
    """Indexing in this process, from the first batch to the activation. share: gives the version to the source's other uses
    (use_everywhere in intake.py); called when the vectors are stored, before the version is ready."""

    progress: Progress = no_progress
    share: Callable[[VersionKey], None] | None = None

    def run(self, key: VersionKey, book: Book, chunks: list[Chunk], services: CollectionServices) -> None:
        """Index and activate the parsed version, and remove the versions that it replaces.

        Embeds only what is neither stored nor in the version before. Raises as finish_version does."""
        services.catalog.parsed(key, book.report, len(chunks))
        vectors = None
        with suppress(NotFound):
            vectors = artefacts.load_vectors(services.bucket, key)
        if vectors is None or len(vectors) != len(chunks):
            vectors = store_batches(key, book, chunks, list(self._embedded(key, chunks, services)), services)
        if self.share:
            self.share(key)
        self.progress(Stage.INDEXING, 0, len(chunks))
        finish_version(key, book, chunks, vectors, services)
        self.progress(Stage.INDEXING, len(chunks), len(chunks))
        remove_superseded(key.school, key.book, services)

    def _embedded(self, key: VersionKey, chunks: list[Chunk], services: CollectionServices) -> Iterator[EmbeddedBatch]:
        known = known_vectors(key, services)
        for start in range(0, max(len(chunks), 1), EMBED_AT_ONCE):
            self.progress(Stage.EMBEDDING, start, len(chunks))
            rows = range(start, min(start + EMBED_AT_ONCE, len(chunks)))
            yield rows, embed_batch(key, chunks, rows, services, known)
        self.progress(Stage.EMBEDDING, len(chunks), len(chunks))


@dataclass(frozen=True)
class IndexByTasks:
    """Indexing by tasks in a queue, each of at most `batch_chunks` chunks.

    asked_by: part of the tasks' names; asking again under another word adds the tasks again, should the first be lost."""

    queue: TaskQueue
    batch_chunks: int
    asked_by: str
    progress = staticmethod(no_progress)  # while the file is parsed

    def batches(self, chunks: int) -> int:
        """Number of tasks for so many chunks; at least 1."""
        return max(1, -(-chunks // self.batch_chunks))

    def run(self, key: VersionKey, book: Book, chunks: list[Chunk], services: CollectionServices) -> None:
        """Queue a task for each batch of the parsed version; the last one done activates it."""
        services.catalog.parsed(key, book.report, len(chunks), self.batches(len(chunks)))
        self.add_tasks(services.catalog.version(key))

    def add_tasks(self, version: BookVersion) -> None:
        for task in index_tasks(version, self.asked_by):
            self.queue.add(task)


Indexing = IndexHere | IndexByTasks


def is_resumed(version: BookVersion, indexing: Indexing) -> bool:
    """Whether tasks index the version; then they are queued again."""
    if not (isinstance(indexing, IndexByTasks) and waits_for_tasks(version)):
        return False
    indexing.add_tasks(version)
    return True


def waits_for_tasks(version: BookVersion) -> bool:
    """Whether the version is being indexed by tasks; the command line makes none."""
    return version.state is VersionState.INDEXING and version.batches > 0


def finish_version(key: VersionKey, book: Book, chunks: list[Chunk], vectors: Vectors, services: CollectionServices) -> None:
    """Index the stored vectors, (n, d), and activate the version.

    Raises IndexUnavailable, NotFound if a newer version is active, BookBusy if the vectors of a copy are being written."""
    with services.catalog.claim_vectors(key):
        fill_index(key, book, chunks, vectors, services)
        if not chunking.is_by_sentences(key):
            note_topics(key, book, vectors, services)
        services.catalog.activate(key, book.title, book.authors)
        version = services.catalog.version(key)
        age_ms = round(1000 * (version.changed - version.began).total_seconds())  # from upload to searchable
        log.info("book searched", extra={"school": key.school, "book": key.book, "version": key.version, "age_ms": age_ms})
    remove_parts(services.bucket, key)


def superseded(book: CatalogBook) -> list[BookVersion]:
    """Versions begun before the active one; those begun after it may be in progress."""
    return list(dropwhile(lambda version: version != book.active, book.versions))[1:]


def remove_superseded(school: str, book: BookId, services: CollectionServices) -> None:
    """Remove the versions that the active one of a claimed source replaced, if it is there. Raises as remove_version."""
    source = services.catalog.find(school, book)
    for version in superseded(source) if source else ():
        remove_version(version.key, services)


def remove_version(key: VersionKey, services: CollectionServices) -> None:
    """Remove a version's vectors and artefacts, then its record. Data shared with versions of other models or units stays.

    Raises BookBusy if its vectors are being written or removed elsewhere for longer than PATIENCE."""
    with services.catalog.claim_vectors(key, PATIENCE):
        if not services.catalog.shared(key):  # by a ready copy; an unfinished one will write its own vectors
            services.index.remove(key.partition, key.version)
            if services.words:
                services.words.remove(key.partition, key.version)
        book = services.catalog.book(key.school, key.book)
        shared = any(other.key.version == key.version and other.key != key for other in book.versions)
        own = (chunking.chunks_name(key), artefacts.vectors_name(key), artefacts.context_name(key))
        for name in own if shared else (artefacts.version_folder(key),):
            services.bucket.delete(name)
        services.catalog.forget(key)


ENDED = (VersionState.READY, VersionState.FAILED)

INTERRUPTED = ("interrupted", message("book_interrupted"))
"""Reason and message of an interrupted version. Its stored artefacts are used when the file is added again."""


@contextmanager
def interruption_recorded(key: VersionKey, services: CollectionServices) -> Iterator[None]:
    """Record Ctrl-C within the block as the version's failure."""
    try:
        yield
    except KeyboardInterrupt as error:
        clear_frames(error.__traceback__)  # they may hold a connection whose transaction it broke off, and with it the lock
        gc.collect()
        with suppress(NotFound):  # not begun yet
            services.catalog.failed(key, *INTERRUPTED)
        raise


def give_up_abandoned(school: str, services: CollectionServices) -> None:
    """Fail every unclaimed version that a killed process left unfinished; it would count against the limit otherwise.

    Raises CatalogUnavailable."""
    for book in filter(_is_being_built, services.catalog.books(school)):
        with suppress(BookBusy, NotFound), services.catalog.claim(school, book.id):
            now = services.catalog.book(school, book.id)  # another process may have finished it meanwhile
            if now.newest and _is_being_built(now):
                services.catalog.failed(now.newest.key, *INTERRUPTED)


def _is_being_built(book: CatalogBook) -> bool:
    """Whether one process builds it from end to end; a version with indexing tasks waits for them unclaimed."""
    newest = book.newest
    return newest is not None and newest.state not in ENDED and not newest.batches


def ready_books(school: str, services: CollectionServices) -> list[CatalogBook]:
    """The sources that can be searched, by title."""
    return [book for book in services.catalog.books(school) if book.active]


def count_unread(school: str, services: CollectionServices) -> int:
    """How many sources cannot be searched yet, because they are still being processed."""
    waiting = (book.newest for book in services.catalog.books(school) if book.active is None)
    return sum(newest is not None and newest.state not in ENDED for newest in waiting)


def remove_book(school: str, book: BookId, services: CollectionServices, uploads: Uploads | None = None) -> CatalogBook:
    """Remove a source with all versions and their data; returns the removed source. uploads: from which its file is removed,
    too, which would be received again.

    Raises NotFound, BucketUnavailable, BookBusy if another process holds it for longer than PATIENCE."""
    with services.catalog.claim(school, book, PATIENCE):
        removed = remove_claimed_book(school, book, services)
    if uploads:
        uploads.delete(folder_of(school, services.collection) + removed.file_name)
    return removed


def remove_claimed_book(school: str, book: BookId, services: CollectionServices) -> CatalogBook:
    """remove_book for a caller that has claimed the source."""
    source = services.catalog.book(school, book)
    services.catalog.retire(school, book)  # no longer found; after a kill, the next call finishes the rest
    for version in source.versions:
        remove_version(version.key, services)
    services.bucket.delete(artefacts.book_folder(school, book, services.collection))
    services.catalog.remove(school, book)
    return source


What = TypeVar("What")


@dataclass(frozen=True, slots=True)
class IndexTask:
    """One batch of chunks, counted from 0, of one attempt at a version: a version begun again has another `began`."""

    key: VersionKey
    began: datetime
    batch: int


def receive_task(file: StoredFile, person: str = "") -> Task:
    """Task to receive an uploaded file. person: who sent it."""
    return replace(named_task(TaskKind.RECEIVE, {"name": file.name, "generation": file.generation}), person=person)


def index_tasks(version: BookVersion, asked_by: str) -> list[Task]:
    """One task for each batch of the version. asked_by: part of their names; another word gives other tasks."""
    attempt: dict[str, str | int] = {**asdict(version.key), "began": version.began.isoformat(), "asked_by": asked_by}
    return [named_task(TaskKind.INDEX, {**attempt, "batch": batch}) for batch in range(version.batches)]


def understood(task: Task, kind: type[What], attempt: int, attempts: int) -> What | None:
    """What the task's body says, as a dataclass of that kind; None, which ends the task, if it cannot be read after more than
    `attempts` deliveries. The fields of a version's key stand among the others.

    Until then it raises BadRequest, so that the task is delivered again: perhaps to the newer release that made it."""
    try:
        return adapter(kind).validate_python({**task.body, "key": task.body})
    except ValidationError as error:
        refusal = BadRequest("task_without_field", field=error.errors()[0]["loc"][-1])
        log.error("task not understood: %s", refusal, extra={"task": task.name, "attempt": attempt, "error": refusal.code})
        if attempt > attempts:
            return None
        raise refusal from error
