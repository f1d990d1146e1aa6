"""A library on disk whose books are typed in the test and searched by their words."""

from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import replace
from pathlib import Path

from chapterverse.accounts.store import SqlSchoolSettings
from chapterverse.core.book import Collection, Sentence
from chapterverse.core.recent import Recent
from chapterverse.infrastructure.sql import Database
from chapterverse.infrastructure.storage.folder import FolderBucket
from chapterverse.infrastructure.vectors.bucket import BucketIndex
from chapterverse.library.artefacts import load_book
from chapterverse.library.chunks import paragraphs
from chapterverse.library.intake import add_book
from chapterverse.library.model import CatalogBook, VersionKey
from chapterverse.library.services import CollectionServices
from chapterverse.library.store import SqlCatalog
from tests.support.books import LIMITS, TextParser
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
    assert book.active
    return book.active.key


def sentences_of(book: CatalogBook, services: CollectionServices) -> Sequence[Sentence]:
    """As they are stored, of the version that is searched."""
    return load_book(services.bucket, key_of(book)).sentences


@contextmanager
def document_library(folder: Path) -> Iterator[CollectionServices]:
    """Documents of a school: rules about phones and soup, a paragraph each."""
    town = Town(folder)
    with town.closing:
        catalog = SqlCatalog(town.database, collection=Collection.DOCUMENTS)
        services = replace(
            town.intake.services, catalog=catalog, collection=Collection.DOCUMENTS, chunker=paragraphs(count_words, 0)
        )
        add_book(b"Phones stay silent inside bags.\nSoup costs nothing on Monday.", "rules.pdf", SCHOOL, services, LIMITS)
        yield services
