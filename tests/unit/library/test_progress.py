"""The state of a book is that of the version last begun."""

from datetime import UTC, datetime

from chapterverse.core.book import BookId
from chapterverse.library.model import BookVersion, CatalogBook, VersionKey, VersionState

NOON = datetime(2026, 11, 20, 12, tzinfo=UTC)


def a_version(state: VersionState, batches: int = 0, done: int = 0, reason: str | None = None) -> BookVersion:
    key = VersionKey("school", BookId("book"), state, "m")
    return BookVersion(key, state, reason, reason and "Do this.", 3, None, "1", NOON, NOON, batches, done)


def shelved(*versions: BookVersion) -> CatalogBook:
    return CatalogBook("school", BookId("book"), "A Book", (), "a.pdf", NOON, versions[-1] if versions else None, versions)


def test_a_book_being_replaced_has_the_progress_of_its_new_version() -> None:
    newest = shelved(a_version(VersionState.INDEXING, 7, 4), a_version(VersionState.READY)).newest

    assert newest
    assert (newest.state, newest.reason, newest.batches_done, newest.batches) == (VersionState.INDEXING, None, 4, 7)


def test_a_failed_book_has_the_reason_of_its_failure() -> None:
    newest = shelved(a_version(VersionState.FAILED, reason="no_text")).newest

    assert newest
    assert (newest.state, newest.reason, newest.message) == (VersionState.FAILED, "no_text", "Do this.")


def test_a_book_without_versions_has_no_state() -> None:
    assert shelved().newest is None
