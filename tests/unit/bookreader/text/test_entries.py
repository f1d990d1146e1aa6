"""Lists of questions and answers → entries → a book."""

import json

import pytest

from bookreader.book import BookId
from bookreader.errors import BadFile
from bookreader.text.entries import QuestionEntry, book_of_entries, is_entries, read_entries
from bookreader.worker import read_source
from tests.support.refusals import refused

ENTRY = {
    "question": "When is it due?",
    "answer": "On Friday.",
    "source_type": "faq",
    "source_id": "7",
    "department_id": "physics",
}
READ = QuestionEntry(**ENTRY)


def test_a_list_is_read_as_it_was_written() -> None:
    data = json.dumps([ENTRY]).encode()

    assert is_entries(data)
    assert read_entries(data) == [READ]


@pytest.mark.parametrize("told", [{"question": "A?"}, ENTRY | {"source_type": "pdf"}, ENTRY | {"answer": 5}])
def test_a_damaged_list_is_refused(told: dict[str, object]) -> None:
    with refused(BadFile, "list_invalid"):
        read_entries(json.dumps([told]).encode())


@pytest.mark.parametrize("data", [b"%PDF-1.7", b"{\\rtf1}", b"Some words.", b"", b"[%PDF-1.7", b"PK\x03\x04"])
def test_other_files_are_no_lists(data: bytes) -> None:
    assert not is_entries(data)


def test_each_entry_is_a_chapter_with_the_sentences_of_its_answer() -> None:
    entries = [READ, QuestionEntry("How\nso?", "First. Then.\n\n- One\n- Two", "resolved_query", "c1")]

    book = book_of_entries(entries, BookId("faq"), "v")

    assert [(each.title, each.module, each.file) for each in book.chapters] == [
        ("When is it due?", "physics", "faq/7"),
        ("How so?", None, "resolved_query/c1"),
    ]
    assert [(each.text, each.address.chapter.index, each.address.paragraph) for each in book.sentences] == [
        ("On Friday.", 0, 0),
        ("First.", 1, 0),
        ("Then.", 1, 0),
        ("- One", 1, 1),
        ("- Two", 1, 2),
    ]
    assert book.report.chapter_source == "entries"


def test_a_list_is_a_source_like_a_pdf() -> None:
    book = read_source(json.dumps([ENTRY]).encode(), BookId("faq"))

    assert [each.text for each in book.sentences] == ["On Friday."]
