"""The catalog in a database: SQLite on one machine, PostgreSQL past it."""

from collections.abc import Callable
from contextlib import AbstractContextManager
from datetime import UTC, datetime

from sqlalchemy import select
from sqlalchemy.orm import Session, selectinload

from chapterverse.adapters.sql_claims import claimed
from chapterverse.adapters.sql_engine import Database, one_at_a_time
from chapterverse.adapters.sql_rows import (
    CORRECTIONS,
    REPORT,
    book_row,
    fail,
    found,
    is_being_made_otherwise,
    made_so,
    new_book,
    new_version,
    others_with,
    shelved_of,
    unfailed,
    version_of,
    version_row,
)
from chapterverse.adapters.sql_store import SqlStore
from chapterverse.adapters.sql_tables import BookRow
from chapterverse.errors import NotFound, TooLarge
from chapterverse.messages import Message, message
from chapterverse.model import (
    BookId,
    BookVersion,
    Collection,
    Corrections,
    Granularity,
    QualityReport,
    ShelvedBook,
    VersionKey,
    VersionState,
)


def utc_now() -> datetime:
    """The moment, with its zone."""
    return datetime.now(UTC)


class SqlCatalog(SqlStore):
    """Catalog of one collection on any database that SQLAlchemy speaks. Keys of another collection find nothing that this one
    has."""

    def __init__(
        self,
        database: Database | str,
        now: Callable[[], datetime] = utc_now,
        collection: Collection = Collection.BOOKS,
    ) -> None:
        super().__init__(database)
        self._now = now
        self._collection = collection

    def schools(self) -> list[str]:
        wanted = select(BookRow.school).where(BookRow.collection == self._collection).distinct().order_by(BookRow.school)
        with self._reading() as session:
            return list(session.scalars(wanted))

    def books(self, school: str) -> list[ShelvedBook]:
        wanted = select(BookRow).where(BookRow.school == school, BookRow.collection == self._collection)
        with self._reading() as session:
            shelved = [shelved_of(row) for row in session.scalars(wanted.options(selectinload(BookRow.versions)))]
        return sorted(shelved, key=lambda book: (book.title.casefold(), book.id))

    def book(self, school: str, book: BookId) -> ShelvedBook:
        with self._reading() as session:
            return shelved_of(found(book_row(session, school, book, self._collection)))

    def version(self, key: VersionKey) -> BookVersion:
        with self._reading() as session:
            row = found(version_row(session, key))
            return version_of(row.book, row)

    def claim(self, school: str, what: str) -> AbstractContextManager[None]:
        shelf = () if self._collection is Collection.BOOKS else (self._collection.value,)  # as releases before knew no other
        return claimed(self._database.engine, school, *shelf, what)

    def claim_vectors(self, key: VersionKey) -> AbstractContextManager[None]:
        return claimed(self._database.engine, key.school, key.version)

    def shared(self, key: VersionKey) -> bool:
        with self._reading() as session:
            return session.scalar(select(others_with(key).exists())) or False

    def begin(
        self,
        key: VersionKey,
        file_name: str,
        parser_version: str,
        max_books: int | None = None,
        *,
        title: str | None = None,
        authors: tuple[str, ...] = (),
    ) -> None:
        now = self._now()
        with self._writing() as session:
            one_at_a_time(session.connection(), key.school)
            book = book_row(session, key.school, key.book, key.collection)
            _make_sure_there_is_room(session, key, book, max_books)
            book = book or new_book(session, key, file_name, now)
            old = version_row(session, key) if book.id else None
            if old and old.id == book.active_version_id:
                return
            if old:
                session.delete(old)
                session.flush()
            book.file_name = file_name
            session.add(new_version(book, key, parser_version, now, title=title, authors=authors))

    def parsing(self, key: VersionKey) -> None:
        with self._writing() as session:
            row = unfailed(session, key)
            if row.state != VersionState.READY:
                row.state, row.changed = VersionState.PARSING, self._now()

    def parsed(self, key: VersionKey, report: QualityReport, sentences: int, batches: int = 0) -> None:
        with self._writing() as session:
            row = unfailed(session, key)
            if row.state != VersionState.READY:
                row.state, row.changed = VersionState.INDEXING, self._now()
                row.report, row.sentences = REPORT.dump_python(report, mode="json"), sentences
                row.batches, row.batches_done = batches, []

    def batch_done(self, key: VersionKey, batch: int) -> BookVersion:
        with self._writing() as session:
            row = unfailed(session, key)
            if row.state == VersionState.INDEXING and 0 <= batch < row.batches:
                row.batches_done, row.changed = sorted({*row.batches_done, batch}), self._now()
            return version_of(row.book, row)

    def failed(self, key: VersionKey, reason: str, message: Message) -> None:
        with self._writing() as session:
            row = found(version_row(session, key))
            if row.state not in (VersionState.READY, VersionState.FAILED):
                fail(row, reason, message, self._now())

    def activate(self, key: VersionKey, title: str, authors: tuple[str, ...]) -> None:
        with self._writing() as session:
            row = unfailed(session, key)
            if row.book.active_version_id == row.id:
                return
            if row.id < (row.book.active_version_id or 0):
                raise NotFound("newer_file_added")
            row.state, row.changed = VersionState.READY, self._now()
            row.book.active_version_id = row.id
            row.book.title, row.book.authors = row.title or title, row.authors or list(authors)

    def prepared(self, key: VersionKey) -> None:
        with self._writing() as session:
            row = unfailed(session, key)
            if row.state != VersionState.READY:
                row.state, row.changed = VersionState.READY, self._now()

    def switch(self, school: str, model: str, unit: str = Granularity.SENTENCE.value) -> bool:
        wanted = select(BookRow).where(BookRow.school == school, BookRow.collection == self._collection)
        with self._writing() as session:
            one_at_a_time(session.connection(), school)
            books = list(session.scalars(wanted.with_for_update()))
            following = {book: made_so(book, model, unit) for book in books if book.active_version_id}
            if any(is_being_made_otherwise(book, model, unit) for book in books) or not all(following.values()):
                return False
            for book, row in following.items():
                book.active_version_id = row.id if row else None
            return True

    def describe(self, school: str, book: BookId, title: str, authors: tuple[str, ...]) -> None:
        with self._writing() as session:
            row = found(book_row(session, school, book, self._collection))
            row.title, row.authors = title, list(authors)

    def correct(self, school: str, book: BookId, corrections: Corrections) -> None:
        with self._writing() as session:
            row = found(book_row(session, school, book, self._collection))
            row.corrections = CORRECTIONS.dump_python(corrections, mode="json")

    def retire(self, school: str, book: BookId) -> None:
        with self._writing() as session:
            row = found(book_row(session, school, book, self._collection))
            row.active_version_id = None
            for version in row.versions:
                fail(version, "removed", message("book_being_removed"), self._now())

    def forget(self, key: VersionKey) -> None:
        with self._writing() as session:
            row = version_row(session, key)
            if row and row.book.active_version_id != row.id:
                session.delete(row)

    def remove(self, school: str, book: BookId) -> None:
        with self._writing() as session:
            if row := book_row(session, school, book, self._collection):
                session.delete(row)


def _make_sure_there_is_room(session: Session, key: VersionKey, book: BookRow | None, max_books: int | None) -> None:
    """Copies take one place together; whoever has one by himself may replace what is there, however low the limit is now."""
    shelf = select(BookRow).where(BookRow.school == key.school, BookRow.collection == key.collection)
    others = session.scalars(shelf.where(BookRow.book != key.book))
    taken = {newest for other in others if (newest := _newest_alive(other))}
    had = _newest_alive(book) if book and book.active_version_id else None
    if max_books is None or len(taken) < max_books or key.version in taken or (had and had not in taken):
        return
    setting = "MAX_BOOKS" if key.collection is Collection.BOOKS else "MAX_SOURCES"
    raise TooLarge("collection_full", count=len(taken), collection=key.collection, max_sources=max_books, setting=setting)


def _newest_alive(book: BookRow) -> str | None:
    return next((version.version for version in book.versions if version.state != VersionState.FAILED), None)
