"""A library on disk whose books are typed in the test and searched by their words."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from chapterverse.accounts.store import SqlSchoolSettings
from chapterverse.core.book import Book, BookId, Collection, Kind, Sentence
from chapterverse.core.recent import Recent
from chapterverse.infrastructure.sql import Database
from chapterverse.infrastructure.storage.folder import FolderBucket
from chapterverse.infrastructure.vectors.bucket import BucketIndex, BucketWords
from chapterverse.library.artefacts import BookText, load_book, load_text, save_book
from chapterverse.library.chunks import paragraphs
from chapterverse.library.intake import add_book
from chapterverse.library.model import CatalogBook, VersionKey
from chapterverse.library.services import CollectionServices
from chapterverse.library.store import SqlCatalog
from tests.support.books import LIMITS, TextParser, a_book
from tests.support.chunked import count_words
from tests.support.intake import SCHOOL, Town
from tests.support.word_embedder import WordEmbedder


@contextmanager
def empty_library(folder: Path, database: Database | None = None) -> Iterator[CollectionServices]:
    """Real storage without a book in it. database: that of the folder, shared with others."""
    with closing(SqlCatalog(database or f"sqlite:///{folder}/catalog.db")) as catalog:
        bucket, index = FolderBucket(folder / "artefacts"), BucketIndex(FolderBucket(folder / "vectors"), Recent())
        settings = SqlSchoolSettings(catalog._database)
        yield CollectionServices(bucket, catalog, index, WordEmbedder(), TextParser(), school_settings=settings)


def shelve(services: CollectionServices, title: str, *paragraphs: Sequence[str], school: str = "school") -> CatalogBook:
    """Add a book of these paragraphs of sentences."""
    text = "\n".join("|".join(sentences) for sentences in paragraphs)
    return add_book(text.encode(), f"{title}.pdf", school, services, LIMITS, title=title).book


def key_of(book: CatalogBook) -> VersionKey:
    """Of the version that is searched."""
    return book.active.key


def sentences_of(book: CatalogBook, services: CollectionServices) -> Sequence[Sentence]:
    """As they are stored, of the version that is searched."""
    return load_book(services.bucket, key_of(book)).sentences


RULES = {"rules": b"Phones stay silent inside bags.\nSoup costs nothing on Monday."}


@contextmanager
def document_library(folder: Path, texts: Mapping[str, bytes] = RULES, **ports: Any) -> Iterator[CollectionServices]:
    """Documents of a school by title, a chunk for each paragraph. ports: others than the town's."""
    town = Town(folder)
    with town.closing:
        catalog = SqlCatalog(town.database, collection=Collection.DOCUMENTS)
        own = {"catalog": catalog, "collection": Collection.DOCUMENTS, "chunker": paragraphs(count_words, 0)}
        services = replace(town.intake.services, **own | ports)
        for title, text in texts.items():
            add_book(text, f"{title}.pdf", SCHOOL, services, LIMITS, title=title)
        yield services


def words_in(folder: Path) -> BucketWords:
    """An index of words, which are kept there."""
    return BucketWords(FolderBucket(folder / "words"), Recent())


def stored_text(folder: Path, *paragraphs: Sequence[str], kind: Kind = Kind.SENTENCE) -> BookText:
    """What is stored of a book of these paragraphs of sentences, all of that kind."""
    book = a_book(*paragraphs)
    return stored(folder, replace(book, sentences=tuple(replace(one, kind=kind) for one in book.sentences)))


def stored(folder: Path, book: Book) -> BookText:
    """What is stored of it."""
    bucket, key = FolderBucket(folder), VersionKey(SCHOOL, BookId("book"), "v1", "all-MiniLM-L6-v2")
    save_book(bucket, key, book)
    return load_text(bucket, key)
