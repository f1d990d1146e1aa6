"""An index that is looked over and rebuilt from what is kept, with a real bucket, catalog and index."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from chapterverse.core.book import SentenceId
from chapterverse.core.errors import BookBusy
from chapterverse.infrastructure.local_queue import LocalQueue
from chapterverse.library.artefacts import load_book, load_vectors
from chapterverse.library.chunks import load_chunks
from chapterverse.library.model import BookVersion, CatalogBook
from chapterverse.library.services import CollectionServices
from chapterverse.library.versions import (
    IndexByTasks,
    embed_batch,
    is_whole,
    known_vectors,
    make_whole,
    repair_index,
    rows_of,
    store_batches,
)
from tests.support.shelved import document_library, key_of, shelve

SENTENCES = [f"Sentence number{i} speaks of thing{i}." for i in range(40)]


@pytest.fixture
def book(services: CollectionServices) -> CatalogBook:
    shelve(services, "Another", ["A sentence of another book."])
    return shelve(services, "Things", SENTENCES)


def version_of(book: CatalogBook) -> BookVersion:
    return book.active


def lose(services: CollectionServices, book: CatalogBook, *lost: int) -> None:
    """As if the index had never got the vectors of these sentences, or had got others."""
    key = version_of(book).key
    vectors = np.array(load_vectors(services.bucket, key))
    vectors[list(lost)] = np.eye(1, vectors.shape[1], dtype=np.float32)
    found = services.index.search(key.partition, load_vectors(services.bucket, key), 1, [key.version])
    services.index.write(key.partition, key.version, [hits[0].record for hits in found], vectors)


def answers(services: CollectionServices, book: CatalogBook) -> list[tuple[str, float]]:
    key = version_of(book).key
    found = services.index.search(key.partition, services.embedder.embed_queries(SENTENCES), 1, [key.version])
    return [(hits[0].record.id, round(hits[0].score, 5)) for hits in found]


def test_an_index_with_vectors_lost_or_one_more_is_not_whole(services: CollectionServices, book: CatalogBook) -> None:
    lose(services, book, *range(10, 14))

    assert services.index.count(version_of(book).key.partition, version_of(book).key.version) == len(SENTENCES)
    assert not is_whole(version_of(book), services)
    assert repair_index("school", services) == [book]
    assert is_whole(version_of(book), services)

    key, vectors = version_of(book).key, load_vectors(services.bucket, version_of(book).key)
    records = [hits[0].record for hits in services.index.search(key.partition, vectors, 1, [key.version])]
    more = replace(records[0], id=SentenceId("another"))

    services.index.write(key.partition, key.version, [*records, more], np.vstack([vectors, vectors[:1]]))

    assert not is_whole(version_of(book), services)


def test_rebuilding_embeds_nothing(services: CollectionServices, book: CatalogBook, monkeypatch: pytest.MonkeyPatch) -> None:
    before, calls = answers(services, book), services.parser.calls
    with monkeypatch.context() as patch:
        patch.setattr(type(services.embedder), "embed_passages", None)
        assert make_whole(book, services, anew=True)
    assert answers(services, book) == before
    assert services.parser.calls == calls
    assert load_book(services.bucket, version_of(book).key).id == book.id

    services.index.remove(version_of(book).key.partition, version_of(book).key.version)
    with services.catalog.claim("school", book.id):
        assert repair_index("school", services) == []
        with pytest.raises(BookBusy):
            make_whole(book, services)


def test_vectors_made_again_after_a_stop_before_the_last_write_are_the_same(tmp_path: Path) -> None:
    text = "\n".join("|".join(SENTENCES[at : at + 3]) for at in range(0, 39, 3))
    with document_library(tmp_path, {"things": text.encode()}) as services:
        (book,) = services.catalog.books("school")
        key = key_of(book)
        made, chunks = np.array(load_vectors(services.bucket, key)), load_chunks(services.bucket, key)
        rows, known = range(len(chunks)), known_vectors(key, services)

        again = embed_batch(key, chunks, rows, services, known)

        assert known
        assert np.array_equal(store_batches(key, load_book(services.bucket, key), chunks, [(rows, again)], services), made)


@given(st.integers(0, 5000), st.integers(1, 700))
def test_batches_hold_every_sentence_once_and_none_is_too_long(sentences: int, at_most: int) -> None:
    batches = IndexByTasks(LocalQueue(), at_most, "").batches(sentences)
    rows = [rows_of(batch, batches, sentences) for batch in range(batches)]

    assert [row for part in rows for row in part] == list(range(sentences))
    assert max(map(len, rows)) <= at_most
    assert max(map(len, rows)) - min(map(len, rows)) <= 1
