"""Vectors that come in part by part, and are never taken for the whole."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from chapterverse.core.book import BookId
from chapterverse.core.errors import NotFound
from chapterverse.infrastructure.storage.folder import FolderBucket
from chapterverse.library.artefacts import load_known_vectors, load_vectors
from chapterverse.library.indexing import batches_of, load_part, rows_of, save_part
from chapterverse.library.model import VersionKey
from tests.support.made import unit

KEY = VersionKey("school", BookId("book"), "v1", "all-MiniLM-L6-v2")


@pytest.fixture
def bucket(tmp_path: Path) -> FolderBucket:
    return FolderBucket(tmp_path)


@given(st.integers(0, 5000), st.integers(1, 700))
def test_batches_hold_every_sentence_once_and_none_is_too_long(sentences: int, at_most: int) -> None:
    batches = batches_of(sentences, at_most)
    rows = [rows_of(batch, batches, sentences) for batch in range(batches)]

    assert [row for part in rows for row in part] == list(range(sentences))
    assert max(map(len, rows)) <= at_most
    assert max(map(len, rows)) - min(map(len, rows)) <= 1


def test_a_part_comes_back_as_it_was_and_is_not_the_whole(bucket: FolderBucket) -> None:
    save_part(bucket, KEY, range(2), unit([3, 4], [1, 0]))

    assert np.array_equal(load_part(bucket, KEY, range(2)), unit([3, 4], [1, 0]))
    for load in (load_vectors, load_known_vectors, lambda bucket, key: load_part(bucket, key, range(1))):
        with pytest.raises(NotFound):
            load(bucket, KEY)
