from pathlib import Path

import numpy as np
import pytest

from chapterverse.core.book import BookId, Chunk, ChunkId, Collection, SentenceId
from chapterverse.infrastructure.storage.folder import FolderBucket
from chapterverse.library.chunks import (
    NO_SENTENCE_VECTORS,
    first_seen,
    load_sentence_vectors,
    save_sentence_vectors,
    sentences_name,
)
from chapterverse.library.model import VersionKey

KEY = VersionKey("school", BookId("rules"), "v1", "model", "window-60-10", Collection.DOCUMENTS)
IDS = [SentenceId(id) for id in ("v1-s2", "v1-s10", "v1-s1")]
VECTORS = np.eye(3, 4, dtype=np.float32)


@pytest.fixture
def bucket(tmp_path: Path) -> FolderBucket:
    return FolderBucket(tmp_path)


def chunk(number: int, *sentences: str) -> Chunk:
    return Chunk(ChunkId(f"c{number}"), "text", tuple(map(SentenceId, sentences)))


def test_what_was_saved_is_compared_whatever_its_order(bucket: FolderBucket) -> None:
    save_sentence_vectors(bucket, KEY, IDS, VECTORS)

    cosines = load_sentence_vectors(bucket, KEY).cosines(IDS, np.array([1.0, 0.5, 0.25, 0.0], np.float32))

    assert cosines == {"v1-s2": 1.0, "v1-s10": 0.5, "v1-s1": 0.25}


def test_sentences_that_are_not_kept_are_left_out(bucket: FolderBucket) -> None:
    save_sentence_vectors(bucket, KEY, IDS, VECTORS)

    assert load_sentence_vectors(bucket, KEY).cosines([SentenceId("v1-s99"), IDS[0]], VECTORS[0]) == {"v1-s2": 1.0}


def test_none_and_damaged_ones_are_none(bucket: FolderBucket) -> None:
    never = load_sentence_vectors(bucket, KEY)
    bucket.write(sentences_name(KEY), b"\x93NUMPY")

    assert never is NO_SENTENCE_VECTORS
    assert load_sentence_vectors(bucket, KEY).cosines(IDS, VECTORS[0]) == {}


def test_a_sentence_of_two_chunks_belongs_to_the_first() -> None:
    chunks = [chunk(1, "a", "b"), chunk(2, "b", "c"), chunk(3, "c", "d")]

    assert first_seen(chunks, range(3)) == ("a", "b", "c", "d")
    assert first_seen(chunks, range(1, 3)) == ("c", "d")
    assert first_seen(chunks, range(0)) == ()
