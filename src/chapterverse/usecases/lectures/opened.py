"""The books beside a lecture that can be searched, each in the newest version that is cut into paragraphs."""

from collections.abc import Iterator
from contextlib import suppress

from chapterverse.errors import NotFound, QueueUnavailable
from chapterverse.model import Attached, BookVersion, Collection, LectureSession, ShelvedBook, VersionState
from chapterverse.usecases.lectures.cutting import beside
from chapterverse.usecases.lectures.desk import LectureDesk
from chapterverse.usecases.shelf import OpenBook, opened
from chapterverse.usecases.tasks import cut_task

Opened = dict[str, tuple[Attached, OpenBook]]
"""By version."""


def open_attached(session: LectureSession, desk: LectureDesk) -> Opened:
    """Those of the session that are there and ready, of one embedding model: the first of the desk's that has any. One that was
    removed, or is being cut, is not among them; of one that was replaced, the newest version that is ready is.

    One that has still to be cut is asked for. Raises CatalogUnavailable."""
    ready = list(_ready(session, desk))
    for model in desk.services.models:
        if books := {book.key.version: (attached, book) for attached, book in reversed(ready) if book.key.model == model}:
            return dict(reversed(books.items()))
    return {}


def _ready(session: LectureSession, desk: LectureDesk) -> Iterator[tuple[Attached, OpenBook]]:
    for attached in session.books:
        if attached.shelf in desk.shelves:
            with suppress(NotFound):
                book = desk.shelves[attached.shelf].catalog.book(session.school, attached.book)
                _ask_where_nobody_has(attached, book, session, desk)
                if version := cut_into_paragraphs(book, desk):
                    yield attached, opened(book, version)


def _ask_where_nobody_has(attached: Attached, book: ShelvedBook, session: LectureSession, desk: LectureDesk) -> None:
    """A book that was replaced since it was attached, or was not ready then, has to be cut."""
    if book.active is None or attached.shelf is Collection.LECTURES:
        return
    key = beside(book.active, desk.services.cutter.unit)
    if all(version.key != key for version in book.versions):
        with suppress(QueueUnavailable):  # it is asked again at the next window
            desk.queue.add(cut_task(book.active, key, str(session.id)))


def cut_into_paragraphs(book: ShelvedBook, desk: LectureDesk) -> BookVersion | None:
    """Of the file that is searched, or of one before it, as long as that is there; None for a book that nobody finds."""
    if book.active is None:
        return None
    cut = [each for each in book.versions if each.key.unit == desk.services.cutter.unit and each.state is VersionState.READY]
    current = (each for each in cut if each.key.version == book.active.key.version)
    return next(current, cut[0] if cut else None)
