"""A library on disk whose books are typed in the test and searched by their words."""

from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path

from chapterverse.accounts.store import SqlChoices
from chapterverse.infrastructure.storage.folder import FolderBucket
from chapterverse.infrastructure.vectors.chroma import embedded_index
from chapterverse.library.intake import add_book
from chapterverse.library.model import CatalogBook
from chapterverse.library.services import CollectionServices
from chapterverse.library.store import SqlCatalog
from tests.support.books import LIMITS, TextParser
from tests.support.word_embedder import WordEmbedder


@contextmanager
def empty_library(folder: Path) -> Iterator[CollectionServices]:
    """Real storage without a book in it."""
    database = f"sqlite:///{folder}/catalog.db"
    with closing(SqlCatalog(database)) as catalog, closing(SqlChoices(database)) as choices:
        bucket, index = FolderBucket(folder / "artefacts"), embedded_index(folder / "chroma")
        yield CollectionServices(bucket, catalog, index, WordEmbedder(), TextParser(), choices=choices)


def shelve(services: CollectionServices, title: str, *paragraphs: Sequence[str], school: str = "school") -> CatalogBook:
    """Add a book of these paragraphs of sentences."""
    text = "\n".join("|".join(sentences) for sentences in paragraphs)
    return add_book(text.encode(), f"{title}.pdf", school, services, LIMITS, title=title).book
