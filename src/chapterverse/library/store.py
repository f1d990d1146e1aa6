"""The catalog in a database: its tables, the conversion of rows to the model, and SqlCatalog.

The tables are the same in SQLite and PostgreSQL. A change to them needs a migration; a test compares the two."""

from collections.abc import Callable
from collections.abc import Collection as AnyOf
from contextlib import AbstractContextManager
from datetime import datetime
from typing import TYPE_CHECKING, Any, TypeVar

from sqlalchemy import JSON, ForeignKey, Integer, Select, String, Text, UniqueConstraint, or_, select
from sqlalchemy.orm import Mapped, Session, mapped_column, relationship, selectinload

from bookreader.book import title_of_file
from bookreader.source import PARSER_VERSION
from chapterverse.core.book import BookId, Collection, QualityReport
from chapterverse.core.errors import NotFound, TooLarge
from chapterverse.core.requests import adapter
from chapterverse.infrastructure import sql
from chapterverse.library.model import BookVersion, CatalogBook, Corrections, VersionKey, VersionState
from chapterverse.messages import Message, message


class VersionRow(sql.CatalogTable):
    """One file as one source, chunked by one unit, embedded by one model. A higher id was begun later."""

    __tablename__ = "versions"
    __table_args__ = (UniqueConstraint("book_id", "version", "embedding_model", "unit"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    book_id: Mapped[int] = mapped_column(ForeignKey("books.id", ondelete="CASCADE"))
    version: Mapped[str] = mapped_column(String(64))
    embedding_model: Mapped[str] = mapped_column(String(512))
    unit: Mapped[str] = mapped_column(String(64), server_default="sentence")
    parser_version: Mapped[str] = mapped_column(String(64), default=PARSER_VERSION)
    state: Mapped[str] = mapped_column(String(16))
    reason: Mapped[str | None] = mapped_column(String(64))
    message: Mapped[Message | None] = mapped_column(sql.MessageText)
    sentences: Mapped[int | None]
    report: Mapped[dict[str, Any] | None] = mapped_column(JSON)
    title: Mapped[str | None] = mapped_column(Text)  # given by the uploader, if any
    authors: Mapped[list[str] | None] = mapped_column(JSON(none_as_null=True))
    batches: Mapped[int] = mapped_column(server_default="0")
    batches_done: Mapped[list[int]] = mapped_column(JSON, server_default="[]")  # their numbers
    began: Mapped[datetime] = mapped_column(sql.UtcTime)
    changed: Mapped[datetime] = mapped_column(sql.UtcTime)
    if TYPE_CHECKING:
        book: Mapped["BookRow"]  # defined by BookRow.versions: a thread may query before both classes exist


class BookRow(sql.CatalogTable):
    """One source in one collection of one school."""

    __tablename__ = "books"
    __table_args__ = (UniqueConstraint("school", "collection", "book"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    school: Mapped[str] = mapped_column(String(255))
    collection: Mapped[str] = mapped_column(String(32), server_default="books")
    book: Mapped[str] = mapped_column(String(255))
    title: Mapped[str] = mapped_column(Text)
    authors: Mapped[list[str]] = mapped_column(JSON)
    file_name: Mapped[str] = mapped_column(Text)
    created: Mapped[datetime] = mapped_column(sql.UtcTime)
    active_version_id: Mapped[int | None] = mapped_column(Integer)  # no foreign key: the two tables would need each other
    corrections: Mapped[dict[str, Any] | None] = mapped_column(JSON(none_as_null=True))
    versions: Mapped[list[VersionRow]] = relationship(
        backref="book", order_by=VersionRow.id.desc(), cascade="all, delete-orphan", passive_deletes=True
    )


Row = TypeVar("Row")


def book_row(session: Session, school: str, book: BookId, collection: Collection) -> BookRow | None:
    """The source's row, or None. In a writing transaction the row is locked until the transaction ends."""
    wanted = select(BookRow).filter_by(school=school, collection=collection, book=sql.storable(book))
    return session.scalar(wanted.with_for_update() if session.info.get("writes") else wanted)


def version_row(session: Session, key: VersionKey) -> VersionRow | None:
    """The version's row, or None; its source's row is locked as in book_row."""
    book = book_row(session, key.school, key.book, key.collection)
    return session.scalar(_with_vectors_of(key).where(VersionRow.book_id == (book.id if book else None)))


def _with_vectors_of(key: VersionKey) -> Select[VersionRow]:
    """Query for versions of the same file in the same partition."""
    same = (VersionRow.version == key.version, VersionRow.embedding_model == key.model, VersionRow.unit == key.unit)
    return select(VersionRow).where(*same)


def found(row: Row | None, book: str) -> Row:
    """The row. Raises NotFound for None."""
    if row is None:
        raise NotFound("no_such_book", book=book)
    return row


def unfailed(session: Session, key: VersionKey) -> VersionRow:
    """The version's row. Raises NotFound if there is none or it failed."""
    row = found(version_row(session, key), key.book)
    if row.state == VersionState.FAILED:
        raise NotFound("book_removed_meanwhile")
    return row


def fail(row: VersionRow, reason: str, message: Message, now: datetime) -> None:
    """Record that the version failed, and why."""
    row.state, row.reason, row.message, row.changed = VersionState.FAILED, reason, message, now


def source_of(row: BookRow) -> CatalogBook:
    """The source with its versions."""
    versions = {version.id: version_of(row, version) for version in row.versions}
    its = {"active": versions.get(row.active_version_id or 0), "versions": tuple(versions.values())}
    own = {"id": row.book, "own_title": row.title, "own_authors": row.authors, "corrections": row.corrections or {}}
    return sql.fact_of(CatalogBook, row, **own, **its)


def version_of(book: BookRow, row: VersionRow) -> BookVersion:
    """One version of the source."""
    key = VersionKey(book.school, BookId(book.book), row.version, row.embedding_model, row.unit, Collection(book.collection))
    return sql.fact_of(BookVersion, row, key=key, batches_done=len(row.batches_done))


class SqlCatalog(sql.SqlStore):
    """The sources of one collection and the state of each version, in SQLite or PostgreSQL.

    Each method is one transaction. Raises CatalogUnavailable. Keys of another collection are not found."""

    def __init__(
        self, database: sql.Database | str, now: Callable[[], datetime] = sql.utc_now, collection: Collection = Collection.BOOKS
    ) -> None:
        super().__init__(database)
        self._now = now
        self.collection = collection

    def schools(self) -> list[str]:
        """The schools that have a source in this collection, by name."""
        wanted = select(BookRow.school).where(BookRow.collection == self.collection)
        return self._rows(wanted.distinct().order_by(BookRow.school))

    def books(self, school: str) -> list[CatalogBook]:
        """The school's sources by title; empty if it has none."""
        wanted = select(BookRow).where(BookRow.school == school, BookRow.collection == self.collection)
        with self._reading() as session:
            sources = [source_of(row) for row in session.scalars(wanted.options(selectinload(BookRow.versions)))]
        return sorted(sources, key=lambda book: (book.title.casefold(), book.id))

    def book(self, school: str, book: BookId) -> CatalogBook:
        """One source. Raises NotFound."""
        return found(self.find(school, book), book)

    def find(self, school: str, book: BookId) -> CatalogBook | None:
        """One source; None if there is none."""
        with self._reading() as session:
            row = book_row(session, school, book, self.collection)
            return source_of(row) if row else None

    def version(self, key: VersionKey) -> BookVersion:
        """One version and its state. Raises NotFound."""
        with self._reading() as session:
            row = found(version_row(session, key), key.book)
            return version_of(row.book, row)

    def refusal(self, school: str, version: str, reasons: AnyOf[str]) -> tuple[str, Message] | None:
        """Reason and message with which a source of these bytes failed for one of the reasons; None if none did."""
        of_school = select(VersionRow).join(BookRow).where(BookRow.school == school, VersionRow.version == version)
        failed = of_school.where(VersionRow.state == VersionState.FAILED, VersionRow.reason.in_(reasons))
        with self._reading() as session:
            row = session.scalars(failed.limit(1)).first()
            return (row.reason, row.message) if row and row.reason and row.message else None

    def claim(self, school: str, what: str, seconds: float = 0.0) -> AbstractContextManager[None]:
        """Hold a source, so that no other process adds, removes or rebuilds it, until the block or the process ends.

        Raises BookBusy if another process holds it for so many seconds."""
        return sql.claimed(self._database.engine, school, self.collection, what, seconds=seconds)

    def claim_vectors(self, key: VersionKey, seconds: float = 0.0) -> AbstractContextManager[None]:
        """Hold the vectors of a file, which all its sources in all collections share. Raises BookBusy as claim does."""
        return sql.claimed(self._database.engine, key.school, key.version, seconds=seconds)

    def shared(self, key: VersionKey) -> bool:
        """Whether another source, of any collection, has a READY version of the same file in the same partition."""
        another = or_(BookRow.book != key.book, BookRow.collection != key.collection)
        others = _with_vectors_of(key).join(BookRow).where(BookRow.school == key.school, another)
        with self._reading() as session:
            return session.scalar(select(others.where(VersionRow.state == VersionState.READY).exists())) or False

    def begin(
        self,
        key: VersionKey,
        file_name: str,
        max_books: int | None = None,
        *,
        title: str | None = None,
        authors: tuple[str, ...] = (),
    ) -> None:
        """Record a new version (uploaded) as the newest of its source, and the source if it is new.

        title, authors: given by the uploader; activate prefers them to those of the file. A known key starts again as newest;
        the active version stays as it is. Raises TooLarge for a source beyond max_books; failed ones that were never ready and
        copies of another source do not count."""
        now = self._now()
        with self._writing() as session:
            sql.one_at_a_time(session.connection(), key.school)
            book = book_row(session, key.school, key.book, key.collection)
            _refuse_if_full(session, key, book, max_books)
            old = version_row(session, key) if book else None
            if old and old.id == old.book.active_version_id:
                return
            if old:
                session.delete(old)
                session.flush()
            if book is None:  # titled after its file until it is parsed
                book = BookRow(school=key.school, collection=key.collection, book=key.book, authors=[], created=now)
                book.title = title_of_file(file_name)
            book.file_name = file_name
            version = VersionRow(book=book, version=key.version, embedding_model=key.model, unit=key.unit)
            version.state, version.began, version.changed = VersionState.UPLOADED, now, now
            version.title, version.authors, version.batches, version.batches_done = title, list(authors) or None, 0, []
            session.add(version)

    def parsing(self, key: VersionKey) -> None:
        """Record that the file is being parsed; a ready version stays as it is. Raises NotFound if it failed."""
        with self._writing() as session:
            row = unfailed(session, key)
            if row.state != VersionState.READY:
                row.state, row.changed = VersionState.PARSING, self._now()

    def parsed(self, key: VersionKey, report: QualityReport, sentences: int, batches: int = 0) -> None:
        """Record that the chunks are stored and will be indexed in `batches` batches; a ready version stays as it is."""
        with self._writing() as session:
            row = unfailed(session, key)
            if row.state != VersionState.READY:
                row.state, row.changed = VersionState.INDEXING, self._now()
                row.report, row.sentences = adapter(QualityReport).dump_python(report, mode="json"), sentences
                row.batches, row.batches_done = batches, []

    def batch_done(self, key: VersionKey, batch: int) -> BookVersion:
        """The version after recording that the vectors of a batch, from 0, are stored. Recording it again changes nothing, and
        neither does a batch of a version that is not being indexed. Raises NotFound if it failed."""
        with self._writing() as session:
            row = unfailed(session, key)
            if row.state == VersionState.INDEXING and 0 <= batch < row.batches:
                row.batches_done, row.changed = sorted({*row.batches_done, batch}), self._now()
            return version_of(row.book, row)

    def failed(self, key: VersionKey, reason: str, message: Message) -> None:
        """Record why a version cannot become ready: the code and message of the error. A ready version stays as it is."""
        with self._writing() as session:
            row = found(version_row(session, key), key.book)
            if row.state not in (VersionState.READY, VersionState.FAILED):
                fail(row, reason, message, self._now())

    def activate(self, key: VersionKey, title: str, authors: tuple[str, ...]) -> None:
        """Make a version ready and the one that is searched; title (empty: its name) and authors: those of the file.

        Raises NotFound if it failed, was retired, or a newer version is active."""
        with self._writing() as session:
            row = unfailed(session, key)
            if row.book.active_version_id == row.id:
                return
            if row.id < (row.book.active_version_id or 0):
                raise NotFound("newer_file_added")
            row.state, row.changed = VersionState.READY, self._now()
            row.book.active_version_id = row.id
            row.book.title = row.title or title or title_of_file(row.book.file_name)
            row.book.authors = row.authors or list(authors)

    def describe(self, school: str, book: BookId, title: str | None, authors: tuple[str, ...]) -> None:
        """Change the title and authors of a source, where given. Raises NotFound."""
        with self._writing() as session:
            row = found(book_row(session, school, book, self.collection), book)
            row.title, row.authors = title or row.title, list(authors) or row.authors

    def correct(self, school: str, book: BookId, corrections: Corrections) -> None:
        """Replace a teacher's corrections of a source. Raises NotFound."""
        with self._writing() as session:
            row = found(book_row(session, school, book, self.collection), book)
            row.corrections = adapter(Corrections).dump_python(corrections, mode="json")

    def retire(self, school: str, book: BookId) -> None:
        """Fail every version with the reason "removed": none is searched any more, and none can become active."""
        with self._writing() as session:
            row = found(book_row(session, school, book, self.collection), book)
            row.active_version_id = None
            for version in row.versions:
                fail(version, "removed", message("book_being_removed"), self._now())

    def forget(self, key: VersionKey) -> None:
        """Delete a version that is not active; does nothing if there is none."""
        with self._writing() as session:
            row = version_row(session, key)
            if row and row.book.active_version_id != row.id:
                session.delete(row)

    def remove(self, school: str, book: BookId) -> None:
        """Delete a source and its versions; does nothing if there is none."""
        with self._writing() as session:
            if row := book_row(session, school, book, self.collection):
                session.delete(row)


def _refuse_if_full(session: Session, key: VersionKey, book: BookRow | None, max_books: int | None) -> None:
    """Raises TooLarge if the collection is full.

    Copies count once. A source that counts by itself may always be replaced, however low the limit is now."""
    of_collection = select(BookRow).where(BookRow.school == key.school, BookRow.collection == key.collection)
    others = session.scalars(of_collection.where(BookRow.book != key.book))
    taken = {newest for other in others if (newest := _newest_alive(other))}
    had = _newest_alive(book) if book and book.active_version_id else None
    if max_books is None or len(taken) < max_books or key.version in taken or (had and had not in taken):
        return
    raise TooLarge("collection_full", count=len(taken), collection=key.collection, max_sources=max_books)


def _newest_alive(book: BookRow) -> str | None:
    return next((version.version for version in book.versions if version.state != VersionState.FAILED), None)
