"""What is kept of a book comes back as it was."""

import gzip
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from chapterverse.core.book import Book, BookId, Kind, SentenceId
from chapterverse.core.errors import NotFound
from chapterverse.infrastructure.storage.folder import FolderBucket
from chapterverse.library.artefacts import (
    BookText,
    book_name,
    indexed,
    load_book,
    load_text,
    load_vectors,
    save_book,
    save_vectors,
    vectors_name,
    version_folder,
)
from chapterverse.library.model import VersionKey
from tests.support.books import a_book
from tests.support.made import unit

KEY = VersionKey("school", BookId("book"), "v1", "all-MiniLM-L6-v2")
BOOK = a_book(["It began.", "It went on\u2028and on; naïve ½ 书.", "It ended."], ["Another."])


@pytest.fixture
def bucket(tmp_path: Path) -> FolderBucket:
    return FolderBucket(tmp_path)


def test_a_book_comes_back_as_it_was(bucket: FolderBucket) -> None:
    save_book(bucket, KEY, BOOK)

    assert load_book(bucket, KEY) == BOOK


def test_a_book_without_its_last_lines_is_not_taken_for_the_book(bucket: FolderBucket) -> None:
    save_book(bucket, KEY, BOOK)
    lines = gzip.decompress(bucket.read(book_name(KEY))).split(b"\n")
    bucket.write(book_name(KEY), gzip.compress(b"\n".join(lines[:-1])))

    with pytest.raises(NotFound):
        load_book(bucket, KEY)


def test_vectors_come_back_as_they_were_one_set_for_each_model(bucket: FolderBucket) -> None:
    other = replace(KEY, model="BAAI/bge-base-en-v1.5")
    save_vectors(bucket, KEY, unit([3, 4], [1, 0]))
    save_vectors(bucket, other, unit([0, 1]))

    assert load_vectors(bucket, KEY).dtype == np.float32
    assert np.array_equal(load_vectors(bucket, KEY), unit([3, 4], [1, 0]))
    assert np.array_equal(load_vectors(bucket, other), unit([0, 1]))
    assert "BAAI/" not in vectors_name(other)


@pytest.mark.parametrize("school", ["..", "a/b", ".hidden", ""])
def test_no_school_gets_into_the_folder_of_another(bucket: FolderBucket, school: str) -> None:
    assert version_folder(replace(KEY, school=school)) != version_folder(KEY)
    assert len(version_folder(replace(KEY, school=school)).split("/")) == 4


def test_only_the_sentences_of_the_text_are_indexed() -> None:
    first, *others = BOOK.sentences
    book = replace(BOOK, sentences=(replace(first, kind=Kind.FOOTNOTE), *others))

    assert indexed(book) == others


def kept_text(bucket: FolderBucket, book: Book = BOOK) -> BookText:
    save_book(bucket, KEY, book)
    return load_text(bucket, KEY)


def test_a_sentence_is_found_with_its_neighbours_and_its_paragraph(bucket: FolderBucket) -> None:
    text = kept_text(bucket)

    sentence = text.sentence(SentenceId("v1-0-1"))

    assert text.neighbours(sentence) == (BOOK.sentences[0], BOOK.sentences[2])
    assert text.paragraph(sentence) == "It began. It went on\u2028and on; naïve ½ 书. It ended."


def test_a_sentence_of_another_version_is_not_found(bucket: FolderBucket) -> None:
    with pytest.raises(NotFound):
        kept_text(bucket).sentence(SentenceId("v2-0-0"))


def test_a_text_without_its_last_lines_is_not_taken_for_the_book(bucket: FolderBucket) -> None:
    save_book(bucket, KEY, BOOK)
    lines = gzip.decompress(bucket.read(book_name(KEY))).split(b"\n")
    bucket.write(book_name(KEY), gzip.compress(b"\n".join(lines[:-1])))

    with pytest.raises(NotFound):
        load_text(bucket, KEY)
