from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from chapterverse.core.errors import NotFound
from chapterverse.core.recent import Recent
from chapterverse.lectures.context import headings_of
from chapterverse.library.model import VersionKey
from chapterverse.library.services import CollectionServices
from tests.support.textbooks import SCHOOL, textbook
from tests.support.word_embedder import WordEmbedder


class NoMore(WordEmbedder):
    """The same model, away."""

    def embed_passages(self, texts):  # type: ignore[no-untyped-def]
        raise AssertionError("was asked")


@pytest.fixture
def robots(tmp_path: Path) -> Iterator[CollectionServices]:
    with textbook(tmp_path) as services:
        yield services


def key_of(services: CollectionServices) -> VersionKey:
    (book,) = services.catalog.books(SCHOOL)
    assert book.active
    return book.active.key


def later(services: CollectionServices) -> CollectionServices:
    """In a new process."""
    return replace(services, recent=Recent(), embedder=NoMore())


def test_each_heading_once_in_reading_order_with_its_vector(robots: CollectionServices) -> None:
    found = headings_of(key_of(robots), robots)

    assert found.titles == ("Nodes", "What a node is", "Starting one", "Sensors", "How far they see")
    assert np.array_equal(found.vectors, robots.embedder.embed_passages(found.titles))


def test_they_are_embedded_once_a_version(robots: CollectionServices) -> None:
    made = headings_of(key_of(robots), robots)
    kept = headings_of(key_of(robots), later(robots))

    assert kept.titles == made.titles
    assert np.array_equal(kept.vectors, made.vectors)


def test_what_is_damaged_is_made_again(robots: CollectionServices, tmp_path: Path) -> None:
    made = headings_of(key_of(robots), robots)
    (file,) = tmp_path.rglob("headings-*")
    file.write_bytes(file.read_bytes()[:-9])

    assert headings_of(key_of(robots), replace(robots, recent=Recent())).titles == made.titles


def test_a_version_that_is_gone_is_not_found(robots: CollectionServices) -> None:
    with pytest.raises(NotFound):
        headings_of(replace(key_of(robots), version="gone"), robots)
