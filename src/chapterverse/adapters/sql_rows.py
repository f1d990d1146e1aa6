"""Rows of the catalog, found and made; what they say as values of the model, and the other way round."""

from datetime import datetime
from typing import TypeVar

from pydantic import TypeAdapter
from sqlalchemy import Select, or_, select
from sqlalchemy.orm import Session

from chapterverse.adapters.sql_tables import BookRow, VersionRow
from chapterverse.errors import NotFound
from chapterverse.messages import Message
from chapterverse.model import (
    BookId,
    BookVersion,
    Collection,
    Corrections,
    QualityReport,
    ShelvedBook,
    VersionKey,
    VersionState,
)
from chapterverse.names import title_of_file

REPORT = TypeAdapter(QualityReport)
CORRECTIONS = TypeAdapter(Corrections)
Row = TypeVar("Row")


def book_row(session: Session, school: str, book: BookId, collection: Collection) -> BookRow | None:
    """The book, if it is there. In a transaction that writes, nobody else writes anything of it until that ends."""
    if "\0" in book:  # none is called so, and PostgreSQL takes no such text
        return None
    wanted = select(BookRow).where(BookRow.school == school, BookRow.collection == collection, BookRow.book == book)
    return session.scalar(wanted.with_for_update() if session.info.get("writes") else wanted)


def version_row(session: Session, key: VersionKey) -> VersionRow | None:
    """The version, if it is there; of its book, what book_row says."""
    book = book_row(session, key.school, key.book, key.collection)
    of_book = select(VersionRow).where(VersionRow.book_id == (book.id if book else None))
    same = (VersionRow.version == key.version, VersionRow.embedding_model == key.model, VersionRow.unit == key.unit)
    return session.scalar(of_book.where(*same))


def others_with(key: VersionKey) -> Select[VersionRow]:
    """Versions of other books of the school, of any collection, that are READY with the same vectors."""
    same = (VersionRow.version == key.version, VersionRow.embedding_model == key.model, VersionRow.unit == key.unit)
    another = or_(BookRow.book != key.book, BookRow.collection != key.collection)
    of_school = select(VersionRow).join(BookRow).where(BookRow.school == key.school, another)
    return of_school.where(*same, VersionRow.state == VersionState.READY)


def found(row: Row | None) -> Row:
    """The row. Raises NotFound where there is none."""
    if row is None:
        raise NotFound("no_such_book")
    return row


def unfailed(session: Session, key: VersionKey) -> VersionRow:
    """The version. Raises NotFound where it is not there or cannot become ready."""
    row = found(version_row(session, key))
    if row.state == VersionState.FAILED:
        raise NotFound("book_removed_meanwhile")
    return row


def made_so(book: BookRow, model: str, unit: str) -> VersionRow | None:
    """The version by that model, in that unit, of the file that is searched, if it is ready."""
    file = next(row.version for row in book.versions if row.id == book.active_version_id)
    wanted = (file, model, unit, VersionState.READY)
    return next((row for row in book.versions if (row.version, row.embedding_model, row.unit, row.state) == wanted), None)


def is_being_made_otherwise(book: BookRow, model: str, unit: str) -> bool:
    """Whether a version of it by another model, or in another unit, may become the one that is searched."""
    ended = {VersionState.READY, VersionState.FAILED}
    return any((row.embedding_model, row.unit) != (model, unit) and row.state not in ended for row in book.versions)


def fail(row: VersionRow, reason: str, message: Message, now: datetime) -> None:
    """Note why it cannot become ready."""
    row.state, row.reason, row.message, row.changed = VersionState.FAILED, reason, message, now


def new_book(session: Session, key: VersionKey, file_name: str, now: datetime) -> BookRow:
    """Until it is parsed, a book is called as its file is."""
    book = BookRow(
        school=key.school,
        collection=key.collection,
        book=key.book,
        title=title_of_file(file_name),
        authors=[],
        file_name=file_name,
        created=now,
    )
    session.add(book)
    return book


def new_version(
    book: BookRow, key: VersionKey, parser_version: str, now: datetime, *, title: str | None, authors: tuple[str, ...]
) -> VersionRow:
    """A version that nothing has been done for yet."""
    return VersionRow(
        book=book,
        version=key.version,
        embedding_model=key.model,
        unit=key.unit,
        parser_version=parser_version,
        state=VersionState.UPLOADED,
        title=title,
        authors=list(authors) or None,
        batches=0,
        batches_done=[],
        began=now,
        changed=now,
    )


def shelved_of(row: BookRow) -> ShelvedBook:
    """The book with its versions."""
    versions = {version.id: version_of(row, version) for version in row.versions}
    return ShelvedBook(
        school=row.school,
        id=BookId(row.book),
        title=row.title,
        authors=tuple(row.authors),
        file_name=row.file_name,
        created=row.created,
        active=versions.get(row.active_version_id or 0),
        versions=tuple(versions.values()),
        corrections=CORRECTIONS.validate_python(row.corrections or {}),
    )


def version_of(book: BookRow, row: VersionRow) -> BookVersion:
    """One version of the book."""
    return BookVersion(
        key=VersionKey(book.school, BookId(book.book), row.version, row.embedding_model, row.unit, Collection(book.collection)),
        state=VersionState(row.state),
        reason=row.reason,
        message=row.message,
        sentences=row.sentences,
        report=REPORT.validate_python(row.report) if row.report else None,
        parser_version=row.parser_version,
        began=row.began,
        changed=row.changed,
        batches=row.batches,
        batches_done=len(row.batches_done),
    )
