"""Adding, listing, showing and removing books, with a real bucket, catalog and index."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from unittest.mock import Mock

import pytest

from bookreader.source import version_of
from chapterverse.core.book import BookId
from chapterverse.core.errors import BookBusy, IndexUnavailable
from chapterverse.core.hits import Record, Vectors
from chapterverse.core.recent import Recent
from chapterverse.infrastructure.storage.folder import FolderBucket
from chapterverse.infrastructure.vectors.bucket import BucketIndex
from chapterverse.library.artefacts import book_name, vectors_name
from chapterverse.library.intake import AddedBook, Outcome, add_book
from chapterverse.library.model import VersionKey, VersionState
from chapterverse.library.services import CollectionServices
from chapterverse.library.store import SqlCatalog
from chapterverse.library.versions import IndexHere, Stage, remove_book
from tests.support.books import LIMITS, TextParser
from tests.support.refusals import refused
from tests.support.word_embedder import WordEmbedder

TEXT = b"The sea was calm.|The wind rose.\nNobody saw the ship."
OTHER_TEXT = b"The sea was rough."
BOOK = BookId("at-sea")


@dataclass
class CountingEmbedder(WordEmbedder):
    """embedded counts passages."""

    embedded: int = 0

    def embed_passages(self, texts: Sequence[str]) -> Vectors:
        self.embedded += len(texts)
        return super().embed_passages(texts)


@dataclass(frozen=True)
class World:
    """Services that count what is asked of them."""

    services: CollectionServices
    parser: TextParser = field(default_factory=TextParser)
    embedder: CountingEmbedder = field(default_factory=CountingEmbedder)

    def add(self, pdf: bytes = TEXT, file_name: str = "At Sea.pdf", **options: object) -> AddedBook:
        return add_book(pdf, file_name, "school", self.services, LIMITS, **options)

    def found(self, query: str) -> list[Record]:
        """The nearest sentence of the books that may be searched."""
        active = [book.active.key for book in self.services.catalog.books("school") if book.active]
        [hits] = self.services.index.search(
            key_of().partition, self.embedder.embed_queries([query]), k=1, books=[key.version for key in active]
        )
        return [hit.record for hit in hits]


def key_of(pdf: bytes = TEXT, book: BookId = BOOK) -> VersionKey:
    return VersionKey("school", book, version_of(pdf), "words")


@pytest.fixture
def world(tmp_path: Path) -> Iterator[World]:
    parser, embedder = TextParser(), CountingEmbedder()
    bucket, catalog = FolderBucket(tmp_path / "bucket"), SqlCatalog(f"sqlite:///{tmp_path / 'catalog.db'}")
    yield World(
        CollectionServices(bucket, catalog, BucketIndex(FolderBucket(tmp_path / "index"), Recent()), embedder, parser),
        parser,
        embedder,
    )
    catalog.close()


def test_an_added_book_is_ready_and_its_sentences_are_found_though_the_index_was_lost(world: World) -> None:
    added = world.add()

    assert (added.outcome, added.book.id, added.book.title) == (Outcome.ADDED, "at-sea", "Printed Title")
    assert (added.book.active.state, added.book.active.sentences) == (VersionState.READY, 3)
    world.services.index.remove(key_of().partition, key_of().version)
    assert world.add().outcome is Outcome.REBUILT  # of what is kept
    assert (world.parser.calls, world.embedder.embedded) == (1, 3)
    [record] = world.found("Who saw a ship?")
    assert (record.book, record.chapter, record.page, record.prev_sentence_id) == ("at-sea", "The Beginning", "vii", None)
    again = world.add(file_name="Copy of At Sea.pdf")  # the same bytes
    assert (again.outcome, again.book.id) == (Outcome.UNCHANGED, "at-sea")


@pytest.mark.parametrize("name", [book_name, vectors_name])
@pytest.mark.parametrize("left", [None, 0, 40])
def test_what_is_lost_is_made_again_from_the_file(world: World, name: Callable[[VersionKey], str], left: int | None) -> None:
    world.add()
    bucket, kept = world.services.bucket, world.services.bucket.read(name(key_of()))
    bucket.delete(name(key_of())) if left is None else bucket.write(name(key_of()), kept[:left])

    again = world.add()

    assert again.outcome is Outcome.REBUILT
    assert bucket.read(name(key_of())) == kept


@pytest.mark.parametrize("stage", list(Stage))
def test_a_book_being_added_is_left_alone_by_others(world: World, stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("chapterverse.library.versions.PATIENCE", 0.0)
    refusals: list[str] = []

    def meddle(now: Stage, _done: int, _total: int) -> None:
        if now is stage:
            for work in (world.add, lambda: world.add(OTHER_TEXT), lambda: remove_book("school", BOOK, world.services)):
                with refused(BookBusy, "book_busy"):
                    work()
                refusals.append(now)

    added = world.add(indexing=IndexHere(meddle))

    assert refusals
    assert added.outcome is Outcome.ADDED
    assert world.found("ship")


def test_a_file_begun_under_two_names_at_once_is_two_books_searched_once(world: World) -> None:
    world.add()
    world.services.catalog.begin(replace(key_of(), book=BookId("copy")), "Copy.pdf")  # as if neither had seen the other

    assert world.add(file_name="Copy.pdf").outcome is Outcome.ADDED
    remove_book("school", BOOK, world.services)

    assert [book.id for book in world.services.catalog.books("school")] == ["copy"]
    assert world.found("ship")


@pytest.mark.parametrize("stage", list(Stage))
def test_a_book_whose_adding_was_interrupted_says_so_takes_no_place_and_can_be_added_again(world: World, stage: Stage) -> None:
    def interrupt(now: Stage, _done: int, _total: int) -> None:
        if now is stage:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        world.add(indexing=IndexHere(interrupt))

    version = world.services.catalog.book("school", BOOK).newest
    assert (version.state, version.reason) == (VersionState.FAILED, "interrupted")
    assert add_book(OTHER_TEXT, "B.pdf", "school", world.services, replace(LIMITS, books=1)).outcome is Outcome.ADDED
    assert world.add().outcome is Outcome.ADDED
    assert world.found("ship")


def test_progress_tells_every_stage_from_its_start_to_its_end_and_other_books_can_be_added_meanwhile(world: World) -> None:
    told: list[tuple[Stage, int, int]] = []

    def add_another(stage: Stage, done: int, total: int) -> None:
        told.append((stage, done, total))
        if stage is Stage.INDEXING and done == total:
            world.add(OTHER_TEXT, "Another.pdf")

    world.add(indexing=IndexHere(add_another))

    assert {book.id for book in world.services.catalog.books("school") if book.active} == {"at-sea", "another"}

    assert told == [
        (Stage.PARSING, 1, 1),
        (Stage.EMBEDDING, 0, 3),
        (Stage.EMBEDDING, 3, 3),
        (Stage.INDEXING, 0, 3),
        (Stage.INDEXING, 3, 3),
    ]


def test_a_book_whose_removal_broke_off_is_searched_no_more(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    world.add()
    monkeypatch.setattr(BucketIndex, "remove", Mock(side_effect=IndexUnavailable("Away.")))

    with pytest.raises(IndexUnavailable):
        remove_book("school", BOOK, world.services)

    assert world.services.catalog.book("school", BOOK).active is None
