"""What citing in a lecture uses: services, settings, and the attached books."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from chapterverse.core.hits import Hit
from chapterverse.infrastructure.sql import utc_now
from chapterverse.lectures.model import LectureSession, Window
from chapterverse.lectures.store import SqlLectures
from chapterverse.library.scope import OpenBook, opened
from chapterverse.library.services import CollectionServices
from chapterverse.questions import MIN_DAYS
from chapterverse.search.plan import LECTURE, RetrievalPlan

Reorder = Callable[[LectureSession, Sequence[Window], list[list[Hit]]], list[list[Hit]]]
"""Hits of each window in a new order, by where in the books the lecture is."""


@dataclass(frozen=True)
class LectureContext:
    """What citing uses. services: of the lectures' collection, with the lectures' re-ranker, if any. keep_days: until a session
    is deleted."""

    services: CollectionServices
    store: SqlLectures
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


Opened = dict[str, OpenBook]
"""Open books, by version."""


def open_attached(session: LectureSession, context: LectureContext) -> Opened:
    """Open the session's books that are ready, embedded by the context's model. Raises CatalogUnavailable."""
    books: Opened = {}
    for id in session.books:
        book = context.services.catalog.find(session.school, id)
        if book and book.active and book.active.key.model == context.services.embedder.model:
            books.setdefault(book.active.key.version, opened(book, book.active))
    return books
