"""Books: where they come from, where they are kept, how they are found."""

from contextlib import AbstractContextManager
from typing import Protocol

from chapterverse.core.book import BookId, QualityReport
from chapterverse.core.hits import Granularity
from chapterverse.library.model import BookVersion, Corrections, ShelvedBook, VersionKey
from chapterverse.messages import Message


class Catalog(Protocol):
    """Which books a school has in one collection, and how far each version has come; tests/contract/test_catalog.py.

    Each method is one transaction. Raises CatalogUnavailable, and NotFound for a book or version that is not there any more."""

    def schools(self) -> list[str]:
        """Those that have a book, by name."""

    def books(self, school: str) -> list[ShelvedBook]:
        """The school's books, by title; empty for a school that has none."""

    def book(self, school: str, book: BookId) -> ShelvedBook:
        """One book."""

    def claim(self, school: str, what: str) -> AbstractContextManager[None]:
        """Nobody else adds, removes or rebuilds that book within the block. Ends with the block, or with the process, however
        it ends. Raises BookBusy where somebody else has it."""

    def claim_vectors(self, key: VersionKey) -> AbstractContextManager[None]:
        """Nobody else writes or removes vectors of that file within the block, for whatever book of whatever collection: what
        is cut alike is in the index once. As claim."""

    def shared(self, key: VersionKey) -> bool:
        """Whether another book, of whatever collection, has a READY version of the same file in the same partition."""

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
        """Note that a file is here to become a version (uploaded): the book's newest, and a new book if need be.

        title, authors: what its uploader calls it, if anything; activate prefers that to what it is given.
        A version of the same key starts afresh, as the newest; if it is the active one, nothing happens. Raises TooLarge for a
        book beyond max_books (one that failed and was never ready takes no place, nor does a copy of another book)."""

    def version(self, key: VersionKey) -> BookVersion:
        """How far it has come."""

    def parsing(self, key: VersionKey) -> None:
        """Its file is being read just now. Ready already: nothing happens."""

    def parsed(self, key: VersionKey, report: QualityReport, sentences: int, batches: int = 0) -> None:
        """Its sentences are known and stored; they are being indexed, in so many batches. Ready already: nothing happens."""

    def batch_done(self, key: VersionKey, batch: int) -> BookVersion:
        """The vectors of that batch, from 0, are kept; how far the version has come with it. The same batch again counts once.

        A version that is not being indexed (any more), but has not failed: nothing happens."""

    def failed(self, key: VersionKey, reason: str, message: Message) -> None:
        """It cannot become ready; reason is the code of the error, message its sentence. Ready already: nothing happens."""

    def activate(self, key: VersionKey, title: str, authors: tuple[str, ...]) -> None:
        """It is ready, and from now on it is the one searched. Active already: nothing happens.

        NotFound where it failed, was retired, or a newer version has become active meanwhile."""

    def prepared(self, key: VersionKey) -> None:
        """It is ready, beside the version that is searched: see switch. Ready already: nothing happens. NotFound where it
        failed."""

    def switch(self, school: str, model: str, unit: str = Granularity.SENTENCE.value) -> bool:
        """Of every book that is searched, the version of the same file by that model, in that unit, is the one searched from
        now on, of all at once; whether that was done. Not done where one is not ready, or a version of another kind is being
        made."""

    def describe(self, school: str, book: BookId, title: str, authors: tuple[str, ...]) -> None:
        """Call the book by another title and authors."""

    def correct(self, school: str, book: BookId, corrections: Corrections) -> None:
        """These are a teacher's corrections from now on, in the place of earlier ones."""

    def retire(self, school: str, book: BookId) -> None:
        """Every version fails with the reason "removed": none is searched, and one still being built cannot become active."""

    def forget(self, key: VersionKey) -> None:
        """Drop a version that is not active. Not there: nothing happens."""

    def remove(self, school: str, book: BookId) -> None:
        """Drop the book and its versions. Not there: nothing happens."""
