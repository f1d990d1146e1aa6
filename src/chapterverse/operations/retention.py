"""Deletion of expired data, and of everything that is stored for a school.

A school is removed in an order that lets a repeated call continue after an error: first its keys, so no request comes in; then
its books, whose vectors and artefacts only the catalog knows; then files, batches and all other objects; last the rows of the
catalog's database. Students' texts expire after a number of days, also those submitted to an assignment."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import astuple, dataclass
from datetime import datetime, timedelta

from sqlalchemy import Table, delete, literal, select, text
from sqlalchemy.sql.dml import ReturningDelete

from chapterverse.accounts.keys import refuse_no_school, revoke_key
from chapterverse.accounts.store import SqlKeys
from chapterverse.core.errors import NotFound
from chapterverse.core.names import path_part
from chapterverse.core.ports import Uploads
from chapterverse.essays.batch.context import BatchContext
from chapterverse.essays.batch.service import expire_batches, remove_batch
from chapterverse.essays.history import expire
from chapterverse.infrastructure.sql.engine import SqlStore, all_tables, leave_no_trace
from chapterverse.lectures.store import SqlLectures
from chapterverse.library.services import CollectionServices
from chapterverse.library.versions import remove_book
from chapterverse.lti.store import SqlLti
from chapterverse.questions import MIN_DAYS
from chapterverse.questions.store import SqlAnswers, SqlConversations


@dataclass(frozen=True, slots=True)
class Retention:
    """The stores whose content expires; a store that is None is not in use. by_school: the days of schools that store less long
    than the operator."""

    batches: BatchContext
    answers: SqlAnswers | None = None
    conversations: SqlConversations | None = None
    lectures: SqlLectures | None = None
    lti: SqlLti | None = None
    by_school: Callable[[], Mapping[str, int]] = dict


@dataclass(frozen=True, slots=True)
class SchoolStores:
    """All stores that hold data of a school. collections: the services of each collection."""

    collections: Sequence[CollectionServices]
    uploads: Uploads
    batches: BatchContext
    keys: SqlKeys
    records: "SqlSchool"


@dataclass(frozen=True, slots=True)
class Removed:
    """How much of a school was removed. rows: deleted rows that were left in the catalog's database, by table."""

    school: str
    books: int
    files: int
    batches: int
    rows: Mapping[str, int]


def remove_school(school: str, stores: SchoolStores, now: datetime) -> Removed:
    """Delete everything that is stored for a school; an unknown school is ignored. now: with time zone.

    Raises BadRequest for an invalid name, BookBusy if a worker holds one of its books, and every other RetryableError of the
    ports."""
    refuse_no_school(school)
    for key in stores.keys.of_school(school):
        revoke_key(school, key.id, stores.keys, now)
    books = sum(_remove_books(school, collection) for collection in stores.collections)
    files = _remove_files(school, stores.uploads)
    batches = _remove_batches(school, stores.batches)
    for bucket in (stores.batches.results, *(collection.bucket for collection in stores.collections)):
        bucket.delete(f"{path_part(school)}/")
    return Removed(school, books, files, batches, stores.records.remove(school))


def _remove_books(school: str, collection: CollectionServices) -> int:
    books = collection.catalog.books(school)
    for book in books:
        with suppress(NotFound):  # removed meanwhile by its file's event
            remove_book(school, book.id, collection)
    return len(books)


def _remove_files(school: str, uploads: Uploads) -> int:
    files = uploads.files(f"{school}/")
    for file in files:
        uploads.delete(file.name)
    return len(files)


def _remove_batches(school: str, context: BatchContext) -> int:
    batches = context.store.of_school(school)
    for batch in batches:
        remove_batch(batch.key, context)
    return len(batches)


@dataclass(frozen=True, slots=True)
class Forgotten:
    """How much was deleted."""

    feedback: int
    batches: int
    conversations: int = 0
    lectures: int = 0


def forget_old(retention: Retention) -> Forgotten:
    """Delete expired feedback, batches of essays, conversations, lectures with their citations, rated questions and records of
    what was handed in at learning platforms, of all schools.

    Raises CatalogUnavailable, BucketUnavailable; can be repeated after an error."""
    history = retention.batches.history
    done = [_forget(retention, history.since)]
    for school, days in retention.by_school().items():
        done.append(_forget(retention, history.now() - timedelta(days=days), school))
    return Forgotten(*map(sum, zip(*map(astuple, done), strict=True)))


def _forget(retention: Retention, since: datetime, school: str | None = None) -> Forgotten:
    """Delete what the school, else every school, has from before then. Batches and conversations have a minimum of days."""
    history = retention.batches.history
    now = history.now()
    if retention.answers:
        retention.answers.forget_questions(since, school)
    if retention.lti:
        retention.lti.forget_hand_ins(since, school)
    oldest = min(since, now - timedelta(days=MIN_DAYS))
    return Forgotten(
        feedback=expire(history, since, school),
        batches=expire_batches(history.batches_since(since), retention.batches, school),
        conversations=retention.conversations.remove_before(oldest, school) if retention.conversations else 0,
        lectures=retention.lectures.remove_before(oldest, now, school) if retention.lectures else 0,
    )


def tables_of_schools() -> Iterator[Table]:
    """The tables with a column `school`, each before the tables it refers to, so that its own rows are counted. Rows of other
    tables are deleted by cascade."""
    return (table for table in reversed(all_tables()) if "school" in table.columns)


class SqlSchool(SqlStore):
    """All rows of a school in the catalog's database, found by the column `school`; new tables need no change here."""

    def holds(self, school: str) -> bool:
        """Whether there is a row of the school."""
        with self._reading() as session:
            return any(session.scalar(select(literal(1)).where(each.columns.school == school)) for each in tables_of_schools())

    def remove(self, school: str) -> dict[str, int]:
        """Delete the rows, so that no file of the database contains them; return how many were deleted, by table."""
        with self._writing() as session:
            gone = {table.name: len(session.scalars(_rows_of(school, table)).all()) for table in tables_of_schools()}
        leave_no_trace(self._database.engine)
        self._rewrite()
        return {name: rows for name, rows in gone.items() if rows}

    def _rewrite(self) -> None:
        """Rewrite PostgreSQL's tables, whose files would keep deleted rows until they are overwritten."""
        engine = self._database.engine
        if engine.dialect.name != "postgresql":
            return
        with engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
            for table in all_tables():
                connection.execute(text(f'VACUUM (FULL) "{table.name}"'))


def _rows_of(school: str, table: Table) -> ReturningDelete[tuple[int]]:
    return delete(table).where(table.columns.school == school).returning(literal(1))
