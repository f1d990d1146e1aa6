"""What is kept of a book comes back as it was."""

import gzip
from collections.abc import Callable
from dataclasses import replace

import pytest

from chapterverse.core.book import BookId, SentenceId
from chapterverse.core.errors import NotFound
from chapterverse.infrastructure.storage.folder import FolderBucket
from chapterverse.library.artefacts import book_name, load_book, load_text, save_book, version_folder
from chapterverse.library.model import VersionKey
from tests.support.books import a_book

KEY = VersionKey("school", BookId("book"), "v1", "all-MiniLM-L6-v2")
BOOK = a_book(["It began.", "It went on\u2028and on; naïve ½ 书.", "It ended."], ["Another."])


@pytest.mark.parametrize("load", [load_book, load_text])
def test_a_book_without_its_last_lines_is_not_taken_for_the_book(
    bucket: FolderBucket, load: Callable[[FolderBucket, VersionKey], object]
) -> None:
    save_book(bucket, KEY, BOOK)
    lines = gzip.decompress(bucket.read(book_name(KEY))).split(b"\n")
    bucket.write(book_name(KEY), gzip.compress(b"\n".join(lines[:-1])))

    with pytest.raises(NotFound):
        load(bucket, KEY)


@pytest.mark.parametrize("school", ["..", "a/b", ".hidden", ""])
def test_no_school_gets_into_the_folder_of_another(school: str) -> None:
    assert version_folder(replace(KEY, school=school)) != version_folder(KEY)
    assert len(version_folder(replace(KEY, school=school)).split("/")) == 4


def test_a_sentence_is_found_with_its_neighbours_and_its_paragraph(bucket: FolderBucket) -> None:
    save_book(bucket, KEY, BOOK)
    text = load_text(bucket, KEY)

    sentence = text.sentence(SentenceId("v1-0-1"))

    assert text.neighbours(sentence) == (BOOK.sentences[0], BOOK.sentences[2])
    assert text.paragraph(sentence) == "It began. It went on\u2028and on; naïve ½ 书. It ended."
    with pytest.raises(NotFound):
        text.sentence(SentenceId("v2-0-0"))
