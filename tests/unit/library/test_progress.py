"""How far a book has come is told from the version last begun."""

from datetime import UTC, datetime

from chapterverse.core.book import BookId
from chapterverse.library.model import BookVersion, CatalogBook, VersionKey, VersionState
from chapterverse.library.versions import BookProgress, progress_of

NOON = datetime(2026, 11, 20, 12, tzinfo=UTC)


def a_version(state: VersionState, batches: int = 0, done: int = 0, reason: str | None = None) -> BookVersion:
    key = VersionKey("school", BookId("book"), state, "m")
    return BookVersion(key, state, reason, reason and "Do this.", 3, None, "1", NOON, NOON, batches, done)


def shelved(*versions: BookVersion) -> CatalogBook:
    return CatalogBook("school", BookId("book"), "A Book", (), "a.pdf", NOON, versions[-1] if versions else None, versions)


def test_a_book_being_replaced_tells_how_far_its_new_version_is() -> None:
    book = shelved(a_version(VersionState.INDEXING, 7, 4), a_version(VersionState.READY))

    assert progress_of(book) == BookProgress(VersionState.INDEXING, None, None, 4, 7)


def test_a_book_that_failed_tells_why() -> None:
    assert progress_of(shelved(a_version(VersionState.FAILED, reason="no_text"))) == BookProgress(
        VersionState.FAILED, "no_text", "Do this.", 0, 0
    )


def test_a_book_without_versions_tells_nothing() -> None:
    assert progress_of(shelved()) is None
