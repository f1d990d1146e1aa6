"""The catalog in a database: SQLite on one machine, PostgreSQL past it."""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from datetime import UTC, datetime
from pathlib import PurePath
from typing import TypeVar

from pydantic import TypeAdapter
from sqlalchemy import select
from sqlalchemy.orm import Session, selectinload

from chapterverse.adapters.sql_claims import claimed
from chapterverse.adapters.sql_engine import database_errors_as_ours, one_at_a_time, open_database, writing
from chapterverse.adapters.sql_tables import BookRow, VersionRow
from chapterverse.errors import BookBusy, NotFound, TooLarge
from chapterverse.model import BookId, BookVersion, QualityReport, ShelvedBook, VersionKey, VersionState

REPORT = TypeAdapter(QualityReport)
Row = TypeVar("Row")


def utc_now() -> datetime:
    """The moment, with its zone."""
    return datetime.now(UTC)


class SqlCatalog:
    """Catalog on any database that SQLAlchemy speaks; opening it brings its tables up to date."""

    def __init__(self, url: str, now: Callable[[], datetime] = utc_now) -> None:
        self._engine = open_database(url)
        self._now = now

    def close(self) -> None:
        """Give the database's connections back."""
        self._engine.dispose()

    def books(self, school: str) -> list[ShelvedBook]:
        wanted = select(BookRow).where(BookRow.school == school).options(selectinload(BookRow.versions))
        with self._reading() as session:
            found = [_shelved(row) for row in session.scalars(wanted)]
        return sorted(found, key=lambda book: (book.title.casefold(), book.id))

    def book(self, school: str, book: BookId) -> ShelvedBook:
        with self._reading() as session:
            return _shelved(_found(_book(session, school, book)))

    def claim(self, school: str, book: BookId) -> AbstractContextManager[None]:
        return claimed(self._engine, school, book)

    def begin(self, key: VersionKey, file_name: str, parser_version: str, max_books: int | None = None) -> None:
        now = self._now()
        with self._writing() as session:
            one_at_a_time(session.connection(), key.school)
            book = _book(session, key.school, key.book)
            _make_sure_there_is_room(session, key, book, max_books)
            book = book or _new_book(session, key, file_name, now)
            old = _version(session, key)
            if old and old.id == book.active_version_id:
                return
            if old:
                session.delete(old)
                session.flush()
            book.file_name = file_name
            session.add(_new_version(book, key, parser_version, now))

    def parsed(self, key: VersionKey, report: QualityReport, sentences: int) -> None:
        with self._writing() as session:
            row = _unfailed(session, key)
            if row.state != VersionState.READY:
                row.state, row.changed = VersionState.INDEXING, self._now()
                row.report, row.sentences = REPORT.dump_python(report, mode="json"), sentences

    def failed(self, key: VersionKey, reason: str, message: str) -> None:
        with self._writing() as session:
            row = _found(_version(session, key))
            if row.state not in (VersionState.READY, VersionState.FAILED):
                _fail(row, reason, message, self._now())

    def activate(self, key: VersionKey, title: str, authors: tuple[str, ...]) -> None:
        with self._writing() as session:
            row = _unfailed(session, key)
            if row.book.active_version_id == row.id:
                return
            if row.id < (row.book.active_version_id or 0):
                raise NotFound("A newer file of this book was added meanwhile; this one was dropped.")
            row.state, row.changed = VersionState.READY, self._now()
            row.book.active_version_id = row.id
            row.book.title, row.book.authors = title, list(authors)

    def describe(self, school: str, book: BookId, title: str, authors: tuple[str, ...]) -> None:
        with self._writing() as session:
            row = _found(_book(session, school, book))
            row.title, row.authors = title, list(authors)

    def retire(self, school: str, book: BookId) -> None:
        with self._writing() as session:
            row = _found(_book(session, school, book))
            row.active_version_id = None
            for version in row.versions:
                _fail(version, "removed", "The book is being removed. Remove it again to finish.", self._now())

    def forget(self, key: VersionKey) -> None:
        with self._writing() as session:
            row = _version(session, key)
            if row and row.book.active_version_id != row.id:
                session.delete(row)

    def remove(self, school: str, book: BookId) -> None:
        with self._writing() as session:
            if row := _book(session, school, book):
                session.delete(row)

    @contextmanager
    def _reading(self) -> Iterator[Session]:
        with database_errors_as_ours(), Session(self._engine) as session:
            yield session

    @contextmanager
    def _writing(self) -> Iterator[Session]:
        with database_errors_as_ours(), Session(writing(self._engine)) as session, session.begin():
            yield session


def _book(session: Session, school: str, book: BookId) -> BookRow | None:
    return session.scalar(select(BookRow).where(BookRow.school == school, BookRow.book == book))


def _version(session: Session, key: VersionKey) -> VersionRow | None:
    of_book = select(VersionRow).join(VersionRow.book).where(BookRow.school == key.school, BookRow.book == key.book)
    return session.scalar(of_book.where(VersionRow.version == key.version, VersionRow.embedding_model == key.model))


def _make_sure_there_is_room(session: Session, key: VersionKey, book: BookRow | None, max_books: int | None) -> None:
    others = session.scalars(select(BookRow).where(BookRow.school == key.school, BookRow.book != key.book))
    alive = [{v.version for v in other.versions if v.state != VersionState.FAILED} for other in others]
    if any(key.version in versions for versions in alive):
        raise BookBusy("The same file is being added under another name. Wait until that is done, then try again.")
    taken = sum(map(bool, alive))
    if max_books is not None and taken >= max_books and not (book and book.active_version_id):
        raise TooLarge(
            f"There are {taken} books already and the limit is {max_books}. Remove one first "
            "(`chapterverse books remove`), or raise CHAPTERVERSE_MAX_BOOKS."
        )


def _found(row: Row | None) -> Row:
    if row is None:
        raise NotFound("There is no such book here (any more). `chapterverse books list` shows those there are.")
    return row


def _unfailed(session: Session, key: VersionKey) -> VersionRow:
    row = _found(_version(session, key))
    if row.state == VersionState.FAILED:
        raise NotFound("The book was removed, or this file of it refused, while it was being added.")
    return row


def _fail(row: VersionRow, reason: str, message: str, now: datetime) -> None:
    row.state, row.reason, row.message, row.changed = VersionState.FAILED, reason, message, now


def _new_book(session: Session, key: VersionKey, file_name: str, now: datetime) -> BookRow:
    """Until it is parsed, a book is called as its file is."""
    book = BookRow(
        school=key.school, book=key.book, title=PurePath(file_name).stem, authors=[], file_name=file_name, created=now
    )
    session.add(book)
    return book


def _new_version(book: BookRow, key: VersionKey, parser_version: str, now: datetime) -> VersionRow:
    return VersionRow(
        book=book,
        version=key.version,
        embedding_model=key.model,
        parser_version=parser_version,
        state=VersionState.PARSING,
        began=now,
        changed=now,
    )


def _shelved(row: BookRow) -> ShelvedBook:
    versions = {version.id: _book_version(row, version) for version in row.versions}
    return ShelvedBook(
        school=row.school,
        id=BookId(row.book),
        title=row.title,
        authors=tuple(row.authors),
        file_name=row.file_name,
        created=row.created,
        active=versions.get(row.active_version_id or 0),
        versions=tuple(versions.values()),
    )


def _book_version(book: BookRow, row: VersionRow) -> BookVersion:
    return BookVersion(
        key=VersionKey(book.school, BookId(book.book), row.version, row.embedding_model),
        state=VersionState(row.state),
        reason=row.reason,
        message=row.message,
        sentences=row.sentences,
        report=REPORT.validate_python(row.report) if row.report else None,
        parser_version=row.parser_version,
        began=row.began,
        changed=row.changed,
    )
