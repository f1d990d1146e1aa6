"""Whichever file it is, it is told by its bytes."""

import pytest

from bookreader.book import BookId
from bookreader.errors import BadFile
from bookreader.source import version_of
from bookreader.worker import read_source
from tests.support.sites import folder
from tests.support.typeset import page, typeset


def test_pdfs_folders_and_lists_become_books_of_a_version_known_by_its_bytes() -> None:
    sources = (
        typeset(page("The harbour was quiet in the morning of that day.")),
        folder({"a.md": "The harbour was quiet."}),
        b'[{"question": "Was it quiet?", "answer": "It was."}]',
    )
    sentences = [read_source(source, BookId("book")).sentences for source in sources]
    assert [len(each) for each in sentences] == [1, 1, 1]

    assert version_of(b"%PDF-1.7") == version_of(b"%PDF-1.7") != version_of(b"%PDF-1.6")
    assert len(version_of(b"")) == 16


@pytest.mark.parametrize(("data", "code"), [(b"words", "not_a_pdf"), (b"PK\x03\x04cut", "damaged"), (b"[]", "bad_entries")])
def test_what_it_was_meant_to_be_is_what_the_refusal_is_about(data: bytes, code: str) -> None:
    with pytest.raises(BadFile) as refused:
        read_source(data, BookId("book"))

    assert refused.value.reason == code
