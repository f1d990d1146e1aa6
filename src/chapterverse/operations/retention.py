"""Deletion of expired data, and of everything that is stored for a school.

A school is removed in an order that lets a repeated call continue after an error: first its keys, so no request comes in; then
its books, whose vectors and artefacts only the catalog knows; then files, batches and all other objects; last the rows of the
catalog's database. Students' texts expire after a number of days, also those submitted to an assignment."""

from collections import Counter
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta

from chapterverse.accounts.keys import refuse_no_school
from chapterverse.core.errors import NotFound
from chapterverse.core.names import path_part
from chapterverse.essays.batch.context import BatchContext
from chapterverse.essays.batch.service import expire_batches, remove_batch
from chapterverse.essays.history import expire
from chapterverse.lectures.store import SqlLectures
from chapterverse.library.versions import remove_book
from chapterverse.lti.store import SqlLti
from chapterverse.operations.archive import SchoolStores
from chapterverse.questions import MIN_DAYS
from chapterverse.questions.store import SqlConversations


@dataclass(frozen=True, slots=True)
class Retention:
    """The stores whose content expires; a store that is None is not in use. by_school: the days of schools that store less long
    than the operator."""

    batches: BatchContext
    conversations: SqlConversations | None = None
    lectures: SqlLectures | None = None
    lti: SqlLti | None = None
    by_school: Callable[[], Mapping[str, int]] = dict


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
        stores.keys.revoke(school, key.id, now)
    books = [(book.id, collection) for collection in stores.collections for book in collection.catalog.books(school)]
    for book, collection in books:
        with suppress(NotFound):  # removed meanwhile by its file's event
            remove_book(school, book, collection)
    files, batches = stores.uploads.files(f"{school}/"), stores.batches.store.of_school(school)
    for file in files:
        stores.uploads.delete(file.name)
    for batch in batches:
        remove_batch(batch.key, stores.batches)
    for bucket in stores.buckets.values():
        bucket.delete(f"{path_part(school)}/")
    return Removed(school, len(books), len(files), len(batches), stores.rows.remove(school))


def forget_old(retention: Retention) -> Counter[str]:
    """Delete expired feedback, batches of essays, conversations, lectures with their citations and records of what
    was handed in at learning platforms, of all schools; returns how much, by kind.

    Raises CatalogUnavailable, BucketUnavailable; can be repeated after an error."""
    history = retention.batches.history
    done = _forget(retention, history.since)
    for school, days in retention.by_school().items():
        done += _forget(retention, history.now() - timedelta(days=days), school)
    return done


def _forget(retention: Retention, since: datetime, school: str | None = None) -> Counter[str]:
    """Delete what the school, else every school, has from before then. Batches and conversations have a minimum of days."""
    history = retention.batches.history
    if retention.lti:
        retention.lti.forget_hand_ins(since, school)
    oldest = min(since, history.now() - timedelta(days=MIN_DAYS))
    return Counter(
        feedback=expire(history, since, school),
        batches=expire_batches(history.batches_since(since), retention.batches, school),
        conversations=retention.conversations.remove_before(oldest, school) if retention.conversations else 0,
        lectures=retention.lectures.remove_before(oldest, school) if retention.lectures else 0,
    )
