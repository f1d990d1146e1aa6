"""What citing in a lecture uses: services, settings, a stopwatch, and the attached books split into paragraphs.

A book of another collection is split into paragraphs once for all lectures, as a companion of the version that its own
collection searches. The companion is made from the stored parsed book and removed with it."""

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from chapterverse.core.book import Collection
from chapterverse.core.errors import NotFound, QueueUnavailable
from chapterverse.core.hits import Hit
from chapterverse.core.ports import TaskQueue
from chapterverse.infrastructure.sql import utc_now
from chapterverse.lectures.model import Attached, LectureSession, Window
from chapterverse.lectures.store import SqlLectures
from chapterverse.library.indexing import is_whole, refill_index
from chapterverse.library.model import BookVersion, CatalogBook, VersionKey, VersionState
from chapterverse.library.scope import OpenBook, opened
from chapterverse.library.services import CollectionServices, Intake
from chapterverse.library.versions import CutTask, IndexByTasks, Indexing, cut_task, index_again, interruption_recorded
from chapterverse.questions import MIN_DAYS
from chapterverse.search.plan import LECTURE, RetrievalPlan

Reorder = Callable[[LectureSession, Sequence[Window], list[list[Hit]]], list[list[Hit]]]
"""Hits of each window in a new order, by where in the books the lecture is."""


@dataclass(frozen=True)
class LectureContext:
    """What citing uses. services: of the lectures' collection, with the lectures' re-ranker, if any; collections: services of
    each collection with attachable books, lectures included; queue: for tasks that split books into paragraphs.
    keep_days: until a session is deleted."""

    services: CollectionServices
    collections: Mapping[Collection, CollectionServices]
    store: SqlLectures
    queue: TaskQueue
    keep_days: int
    plan: RetrievalPlan = LECTURE
    reorder: Reorder | None = None
    now: Callable[[], datetime] = utc_now

    @property
    def since(self) -> datetime:
        """Time before which sessions count as deleted, even if they are still stored."""
        return self.now() - timedelta(days=self.days)

    @property
    def days(self) -> int:
        """Days until a session is deleted."""
        return max(self.keep_days, MIN_DAYS)

    def of_collection(self, collection: Collection) -> CollectionServices:
        """The lectures' services for the books of that collection."""
        its = self.collections[collection]
        return replace(self.services, catalog=its.catalog, collection=collection)


def companion_of(attached: Attached, book: CatalogBook, context: LectureContext) -> VersionKey | None:
    """Key of the version in paragraphs that a ready book of another collection needs for lectures."""
    if book.active is None or attached.collection is Collection.LECTURES:
        return None
    return replace(book.active.key, unit=context.services.chunker.unit)


def queue_cut(book: CatalogBook, key: VersionKey, session: LectureSession, context: LectureContext) -> None:
    """Have the companion of a ready book made, or repaired. Raises QueueUnavailable."""
    assert book.active  # noqa: S101  # companion_of
    context.queue.add(cut_task(book.active, key, str(session.id)))


def cut_book(task: CutTask, intake: Intake) -> None:
    """As cut, with tasks."""
    cut(task.key, intake.services, IndexByTasks(intake.queue, intake.batch_sentences, task.asked_by))


def cut(key: VersionKey, services: CollectionServices, indexing: Indexing) -> None:
    """Chunk and index a book for lectures as this companion version; does nothing if the book is gone or replaced, repairs a
    ready version. services: of the book's collection, with the lectures' chunker. Raises NotFound if the book is not stored,
    BookBusy, and as the ports do."""
    with services.catalog.claim(key.school, key.book):
        book = services.catalog.book(key.school, key.book)
        if book.active is None or replace(book.active.key, unit=key.unit) != key:
            return
        known = known_version(key, book)
        if known is None or known.state is not VersionState.READY:
            with interruption_recorded(key, services):
                index_again(key, book, services, indexing)
        elif not is_whole(known, services):
            refill_index(key, services)


def known_version(key: VersionKey, book: CatalogBook) -> BookVersion | None:
    """The version with that key; None if it is not there."""
    return next((version for version in book.versions if version.key == key), None)


Opened = dict[str, tuple[Attached, OpenBook]]
"""Attached and open books, by version."""


def open_attached(session: LectureSession, context: LectureContext) -> Opened:
    """Open the session's books that are ready, in the newest ready version, embedded by the context's model.

    Books that are not split into paragraphs yet are queued. Raises CatalogUnavailable."""
    books: Opened = {}
    for attached in session.books:
        if attached.collection in context.collections:
            with suppress(NotFound):
                book = context.collections[attached.collection].catalog.book(session.school, attached.book)
                key = companion_of(attached, book, context)  # missing if the book was replaced, or not ready, since
                if key and not known_version(key, book):
                    with suppress(QueueUnavailable):  # the next window tries again
                        queue_cut(book, key, session, context)
                version = cut_into_paragraphs(book, context)
                if version and version.key.model == context.services.embedder.model:
                    books.setdefault(version.key.version, (attached, opened(book, version)))
    return books


def cut_into_paragraphs(book: CatalogBook, context: LectureContext) -> BookVersion | None:
    """Newest ready version in paragraphs, preferably of the active file; None if there is none, or no active file."""
    if (active := book.active) is None:
        return None
    unit = context.services.chunker.unit
    cut = [each for each in book.versions if each.key.unit == unit and each.state is VersionState.READY]
    return max(cut, key=lambda each: each.key.version == active.key.version, default=None)
