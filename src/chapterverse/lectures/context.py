"""What citing in a lecture uses: services, settings, a stopwatch, and the attached books split into paragraphs.

A book of another collection is split into paragraphs once for all lectures, as a companion version of the one that its
own collection searches: made from the stored parsed book, removed with it; nothing is parsed or copied again. Its headings
and their vectors are stored in the version's folder as headings-{unit}-{model}.npz: titles, each once, in reading
order; vectors (n, d) float32."""

import io
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from time import perf_counter

import numpy as np

from chapterverse.core.book import BookId, Chunk, Collection
from chapterverse.core.errors import NotFound, QueueUnavailable
from chapterverse.core.hits import Hit, Vectors
from chapterverse.core.names import path_part
from chapterverse.core.ports import Bucket, Embedder, TaskQueue
from chapterverse.essays.history import utc_now
from chapterverse.lectures.model import Attached, EnrichedQuery, LectureSession, StageTimes, Window
from chapterverse.lectures.store import SqlLectures
from chapterverse.library.artefacts import damage_as_loss, version_folder
from chapterverse.library.chunks import load_chunks
from chapterverse.library.indexing import is_whole, refill_index
from chapterverse.library.model import BookVersion, CatalogBook, VersionKey, VersionState
from chapterverse.library.scope import OpenBook, opened
from chapterverse.library.services import CollectionServices, Intake
from chapterverse.library.tasks import IndexByTasks, cut_task
from chapterverse.library.versions import IndexHere, Progress, index_again, interruption_recorded, no_progress
from chapterverse.questions.helpdesk import LEAST_DAYS
from chapterverse.search.plan import LECTURE, RetrievalPlan

Enrich = Callable[[Sequence[str], Sequence[VersionKey], CollectionServices], list[EnrichedQuery]]

"""Texts of windows to what is looked up for them; the books beside the lecture, and services whose embedder theirs is."""

Reorder = Callable[[LectureSession, Sequence[Window], list[list[Hit]]], list[list[Hit]]]

"""Of each window, in their order, what was found, in another order: by where in the books the professor is."""


def as_said(texts: Sequence[str], _books: Sequence[VersionKey], _services: CollectionServices) -> list[EnrichedQuery]:
    """Enrich without keywords."""
    return [EnrichedQuery(text) for text in texts]


def as_found(_session: LectureSession, _windows: Sequence[Window], hits: list[list[Hit]]) -> list[list[Hit]]:
    """Reorder nothing."""
    return hits


@dataclass(frozen=True, slots=True)
class LectureLimits:
    """S3's numbers. candidates: of a window, to be re-ranked; citations: shown of these; least: cosine of the nearest paragraph
    below which there are none; snippet_least, snippet_most: characters; days: until a session is deleted; batch_chunks: chunks
    per indexing task."""

    candidates: int = 5
    citations: int = 3
    least: float = 0.25  # a squared L2 distance of 1.5 (S3-9)
    snippet_least: int = 100
    snippet_most: int = 200
    days: int = 30
    batch_chunks: int = 512


@dataclass(frozen=True)
class LectureContext:
    """Everything citing uses. services: of the lectures' collection, with the lectures' re-ranker, if any; shelves: services of
    every collection with attachable books, lectures included; queue: for splitting books into paragraphs."""

    services: CollectionServices
    shelves: Mapping[Collection, CollectionServices]
    store: SqlLectures
    queue: TaskQueue
    figures: LectureLimits = field(default_factory=LectureLimits)
    plan: RetrievalPlan = LECTURE
    enrich: Enrich = as_said
    reorder: Reorder = as_found
    now: Callable[[], datetime] = utc_now

    @property
    def since(self) -> datetime:
        """Sessions begun before are no longer shown, deleted already or not."""
        return self.now() - timedelta(days=max(self.figures.days, LEAST_DAYS))

    def of_shelf(self, shelf: Collection) -> CollectionServices:
        """The lectures' services for the books of that collection."""
        its = self.shelves[shelf]
        return replace(self.services, catalog=its.catalog, collection=shelf)


@dataclass
class Stopwatch:
    """Times the stages of a search. stage: current or last one."""

    began: float = field(default_factory=perf_counter)
    stage: str = "books"
    _spent: dict[str, float] = field(default_factory=dict)

    @contextmanager
    def timing(self, stage: str) -> Iterator[None]:
        """Add the time of the block to the stage, also if it fails."""
        self.stage, start = stage, perf_counter()
        try:
            yield
        finally:
            self._spent[stage] = self._spent.get(stage, 0.0) + 1000 * (perf_counter() - start)

    @property
    def total(self) -> float:
        """Milliseconds since the start."""
        return 1000 * (perf_counter() - self.began)

    @property
    def stages(self) -> StageTimes:
        """Milliseconds of each stage."""
        return StageTimes(**{name: self._spent.get(name, 0.0) for name in ("keywords", "embed", "search", "rerank")})


def beside(active: BookVersion, unit: str) -> VersionKey:
    """Key of the companion version: same file and model, split by `unit`."""
    return replace(active.key, unit=unit)


def cut_book(asked: tuple[VersionKey, str], intake: Intake) -> None:
    """Chunk a book for lectures and queue its indexing; does nothing if the book is gone or replaced, repairs a ready version.

    asked: the companion version, and by whom it is asked for. Raises NotFound if the book is not stored, BookBusy, and as the
    ports do."""
    key, asked_by = asked
    services = intake.services
    with services.catalog.claim(key.school, key.book):
        shelved = services.catalog.book(key.school, key.book)
        if _is_wanted(key, shelved) and not _is_there(key, shelved, services):
            index_again(key, shelved, services, IndexByTasks(intake.queue, intake.batch_sentences, asked_by))


def cut_now(school: str, book: BookId, services: CollectionServices, progress: Progress = no_progress) -> None:
    """Chunk and index a book for lectures in this process. services: of the book's collection, with the lectures' chunker.

    Raises NotFound for a book that is not there or not ready, BookBusy, and as the ports do."""
    with services.catalog.claim(school, book):
        shelved = services.catalog.book(school, book)
        if shelved.active is None:
            raise NotFound("book_not_ready_add_again", book=book)
        key = beside(shelved.active, services.chunker.unit)
        if not _is_there(key, shelved, services):
            with interruption_recorded(key, services):
                index_again(key, shelved, services.using(key.model), IndexHere(progress, companion=True))


def _is_wanted(key: VersionKey, shelved: CatalogBook) -> bool:
    return shelved.active is not None and beside(shelved.active, key.unit) == key


def _is_there(key: VersionKey, shelved: CatalogBook, services: CollectionServices) -> bool:
    """Whether it is ready; what the index has lost of it is written anew."""
    known = _known(key, shelved)
    if known is None or known.state is not VersionState.READY:
        return False
    if not is_whole(known, services):
        refill_index(key, services)
    return True


def _known(key: VersionKey, shelved: CatalogBook) -> BookVersion | None:
    return next((version for version in shelved.versions if version.key == key), None)


@dataclass(frozen=True, slots=True)
class Headings:
    """titles: of chapters and sections; vectors: (n, d), a row a title."""

    titles: tuple[str, ...]
    vectors: Vectors

    @property
    def nbytes(self) -> int:
        """In memory, about."""
        return int(self.vectors.nbytes) + sum(map(len, self.titles))


def headings_of(key: VersionKey, services: CollectionServices) -> Headings:
    """Those of a version that is indexed. Raises NotFound where it is no more, and as the embedder and the bucket do."""
    return services.recent.get(("headings", key), lambda: _kept(key, services))


def _kept(key: VersionKey, services: CollectionServices) -> Headings:
    try:
        return _load(services.bucket, key)
    except NotFound:
        made = _make(load_chunks(services.bucket, key), services.using(key.model).embedder)
        _save(services.bucket, key, made)
        return made


def _make(chunks: Sequence[Chunk], embedder: Embedder) -> Headings:
    titles = tuple(dict.fromkeys(title for chunk in chunks for title in chunk.headings if title.strip()))
    return Headings(titles, embedder.embed_passages(titles))


def _name(key: VersionKey) -> str:
    return f"{version_folder(key)}headings-{key.unit}-{path_part(key.model)}.npz"


def _save(bucket: Bucket, key: VersionKey, headings: Headings) -> None:
    file = io.BytesIO()
    np.savez(file, titles=np.array(headings.titles, np.str_), vectors=headings.vectors)
    bucket.write(_name(key), file.getvalue())


def _load(bucket: Bucket, key: VersionKey) -> Headings:
    data = bucket.read(_name(key))
    with damage_as_loss(), np.load(io.BytesIO(data), allow_pickle=False) as kept:
        return Headings(tuple(kept["titles"].tolist()), kept["vectors"])


Opened = dict[str, tuple[Attached, OpenBook]]

"""By version."""


def open_attached(session: LectureSession, desk: LectureContext) -> Opened:
    """Those of the session that are there and ready, of one embedding model: the first of the desk's that has any. One that was
    removed, or is being cut, is not among them; of one that was replaced, the newest version that is ready is.

    One that has still to be cut is asked for. Raises CatalogUnavailable."""
    ready = list(_ready(session, desk))
    for model in desk.services.models:
        if books := {book.key.version: (attached, book) for attached, book in reversed(ready) if book.key.model == model}:
            return dict(reversed(books.items()))
    return {}


def _ready(session: LectureSession, desk: LectureContext) -> Iterator[tuple[Attached, OpenBook]]:
    for attached in session.books:
        if attached.shelf in desk.shelves:
            with suppress(NotFound):
                book = desk.shelves[attached.shelf].catalog.book(session.school, attached.book)
                _ask_where_nobody_has(attached, book, session, desk)
                if version := cut_into_paragraphs(book, desk):
                    yield attached, opened(book, version)


def _ask_where_nobody_has(attached: Attached, book: CatalogBook, session: LectureSession, desk: LectureContext) -> None:
    """A book that was replaced since it was attached, or was not ready then, has to be cut."""
    if book.active is None or attached.shelf is Collection.LECTURES:
        return
    key = beside(book.active, desk.services.chunker.unit)
    if all(version.key != key for version in book.versions):
        with suppress(QueueUnavailable):  # it is asked again at the next window
            desk.queue.add(cut_task(book.active, key, str(session.id)))


def cut_into_paragraphs(book: CatalogBook, desk: LectureContext) -> BookVersion | None:
    """Of the file that is searched, or of one before it, as long as that is there; None for a book that nobody finds."""
    if book.active is None:
        return None
    cut = [each for each in book.versions if each.key.unit == desk.services.chunker.unit and each.state is VersionState.READY]
    current = (each for each in cut if each.key.version == book.active.key.version)
    return next(current, cut[0] if cut else None)
