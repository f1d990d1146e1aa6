"""A school leaves: nothing that was kept of it stays. Called again after a kill or an error, it goes on.

First nobody comes in any more (keys). Then goes what only the catalog knows the way to (books, with their vectors and
artefacts), then files, batches and whatever else lies in the school's folders; the catalog's own rows last.

What students wrote is forgotten after so many days, whatever it came as.

All that the catalog's database keeps of a school."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy import Table, delete, literal, text
from sqlalchemy.sql.dml import ReturningDelete

from chapterverse.accounts import store as accounts_store
from chapterverse.accounts.keys import refuse_no_school, revoke_key
from chapterverse.accounts.store import SqlKeys
from chapterverse.core.errors import NotFound
from chapterverse.core.names import path_part
from chapterverse.core.ports import Uploads
from chapterverse.essays import store as essays_store
from chapterverse.essays.batch import store as batch_store
from chapterverse.essays.batch.context import BatchContext
from chapterverse.essays.batch.service import expire_batches, remove_batch
from chapterverse.essays.history import expire
from chapterverse.evaluation import store as evaluation_store
from chapterverse.infrastructure.sql import ledger, rates
from chapterverse.infrastructure.sql.engine import CatalogTable, SqlStore, leave_no_trace
from chapterverse.lectures import store as lectures_store
from chapterverse.lectures.store import SqlLectures
from chapterverse.library import store as library_store
from chapterverse.library.service import remove_book
from chapterverse.library.services import CollectionServices
from chapterverse.lti import store as lti_store
from chapterverse.questions import store as questions_store
from chapterverse.questions.helpdesk import MIN_DAYS
from chapterverse.questions.store import SqlAnswers, SqlConversations


@dataclass(frozen=True, slots=True)
class Retention:
    """What expires: batches with their feedback, questions with ratings, conversations, lectures; None: not here."""

    batches: BatchContext
    answers: SqlAnswers | None = None
    conversations: SqlConversations | None = None
    lectures: SqlLectures | None = None


TABLES = (  # modules whose import declares the tables of the catalogue: a school is removed from all of them
    accounts_store,
    batch_store,
    essays_store,
    evaluation_store,
    lectures_store,
    ledger,
    library_store,
    lti_store,
    questions_store,
    rates,
)


@dataclass(frozen=True, slots=True)
class Places:
    """Wherever things of a school are kept. shelves: the services of each collection."""

    shelves: Sequence[CollectionServices]
    uploads: Uploads
    batches: BatchContext
    keys: SqlKeys
    records: "SqlSchool"


@dataclass(frozen=True, slots=True)
class Removed:
    """How many there were. rows: of what was left in the catalog's database then, by table."""

    books: int
    files: int
    batches: int
    rows: Mapping[str, int]


def remove_school(school: str, places: Places, now: datetime) -> Removed:
    """Forget the school and all that was kept of it; of one that is not there, nothing happens. now: with its zone.

    Raises BadRequest for what is no school's name, BookBusy where somebody is still at work on one of its books, and every
    other RetryableError of the ports."""
    refuse_no_school(school)
    for key in places.keys.of_school(school):
        revoke_key(school, key.id, places.keys, now)
    books = sum(_remove_books(school, shelf) for shelf in places.shelves)
    files = _remove_files(school, places.uploads)
    batches = _remove_batches(school, places.batches)
    for bucket in (places.batches.results, *(shelf.bucket for shelf in places.shelves)):
        bucket.delete(f"{path_part(school)}/")
    for shelf in places.shelves:
        shelf.index.leave_no_trace()
    return Removed(books, files, batches, places.records.remove(school))


def _remove_books(school: str, shelf: CollectionServices) -> int:
    books = shelf.catalog.books(school)
    for book in books:
        with suppress(NotFound):  # its file's event has come in between
            remove_book(school, book.id, shelf)
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
    """How many there were."""

    feedback: int
    batches: int
    conversations: int = 0
    lectures: int = 0


def forget_old(retention: Retention) -> Forgotten:
    """Delete expired feedback, batches of essays, conversations, lectures with their citations, and rated questions, of all
    schools.

    Raises CatalogUnavailable, BucketUnavailable; called again, it goes on."""
    history = retention.batches.history
    if retention.answers:
        retention.answers.forget_questions(history.since)
    oldest = min(history.since, history.now() - timedelta(days=MIN_DAYS))
    conversations = retention.conversations.remove_before(oldest) if retention.conversations else 0
    lectures = retention.lectures.remove_before(oldest) if retention.lectures else 0
    return Forgotten(expire(history), expire_batches(history.batches_since, retention.batches), conversations, lectures)


def tables_of_schools() -> Iterator[Table]:
    """Those whose rows name their school, each before those that it refers to, with whose rows its own would go uncounted; rows
    of all others go with one of these."""
    return (table for table in reversed(CatalogTable.metadata.sorted_tables) if "school" in table.columns)


class SqlSchool(SqlStore):
    """All rows of a school in the catalogue's database, found by the column `school`: new tables need no change here."""

    def remove(self, school: str) -> dict[str, int]:
        with self._writing() as session:
            gone = {table.name: len(session.scalars(_rows_of(school, table)).all()) for table in tables_of_schools()}
        leave_no_trace(self._database.engine)
        self._rewrite()
        return {name: rows for name, rows in gone.items() if rows}

    def _rewrite(self) -> None:
        """PostgreSQL keeps what was deleted in its files until something is written over it: these tables are written anew."""
        engine = self._database.engine
        if engine.dialect.name != "postgresql":
            return
        with engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
            for table in CatalogTable.metadata.sorted_tables:
                connection.execute(text(f'VACUUM (FULL) "{table.name}"'))


def _rows_of(school: str, table: Table) -> ReturningDelete[tuple[int]]:
    return delete(table).where(table.columns.school == school).returning(literal(1))
