"""Lists of questions and answers → entries → a book."""

import json

import pytest

from bookreader.book import BookId
from bookreader.errors import BadFile
from bookreader.text.entries import MAX_ENTRIES, QuestionEntry, book_of_entries, is_entries, read_entries
from bookreader.worker import read_source
from tests.support.refusals import refused


def read(text: str) -> list[QuestionEntry]:
    return read_entries(text.encode())


ENTRY = {
    "question": "When is it due?",
    "answer": "On Friday.",
    "id": 7,
    "department": "physics",
    "title": "Due",
    "student": {"name": "Ada Lovelace", "number": 5},
    "agent": "Smith, Will",
}
READ = QuestionEntry("When is it due?", "On Friday.", "faq", "7", "physics", ("Ada Lovelace", "Smith", "Will"))


@pytest.mark.parametrize(
    "text",
    [
        json.dumps([ENTRY]),
        json.dumps(ENTRY) + "\n",
        "\ufeffID;Question;Answer;Department;Other;Student;Agent\n"
        "7;When is it due?;On Friday.;physics;other;Ada Lovelace;Smith, Will\n",
        'question,answer,faq_id,department_id,names\n"When is it due?","On Friday.",7,physics,Ada Lovelace; Smith;Will\n',
    ],
)
def test_a_list_may_be_json_json_lines_or_csv(text: str) -> None:
    assert is_entries(text.encode())
    assert read(text) == [READ]


def test_what_is_not_said_has_a_default_and_a_resolved_ticket_its_kind() -> None:
    [entry] = read('[{"question": "Who?\\n Me?", "answer": "You."}]')
    assert entry == QuestionEntry("Who? Me?", "You.", "faq", entry.source_id, None, ())
    assert read('[{"question": "Who?", "answer": "Other."}]')[0].source_id != entry.source_id

    [entry] = read('[{"question": "A?", "answer": "B.", "source_type": "resolved_query", "source_id": "c-1"}]')
    assert (entry.source_type, entry.source_id) == ("resolved_query", "c-1")


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ('[{"question": "A?", "answer": "B."},\n\n {"question": "A?"}]', "Line 3: answer is missing."),
        ('[\n{"answer": "B."}]', "Line 2: question is missing."),
        ('[{"question": "A?", "answer": "..."}]', "Line 1: answer is missing."),
        ("[1]\n", "list is empty|question is missing"),
        ('[{"question": "A?", "answer": "B."},\n{"question": oops}]', "From line 2 on"),
        (
            '[{"question": "A?", "answer": "B.", "id": 1},\n{"question": "C?", "answer": "D.", "id": "1"}]',
            "Line 2: its id is already used in line 1.",
        ),
        ('[{"question": "A?", "answer": "B.", "source_type": "pdf"}]', "Line 1: source_type"),
        ('[{"question": "A?", "answer": "B.", "id": {"n": 1}}]', "Line 1: id must be a short text"),
        ('question,answer\n"A\nB?",C.\nD?,\n', "Line 4: answer is missing."),
        ("question,answer\n", "list is empty"),
        ("[]", "list is empty"),
    ],
)
def test_what_is_wrong_is_told_with_its_line(text: str, told: str) -> None:
    with pytest.raises(BadFile, match=told) as refused:
        read(text)

    assert refused.value.reason == "bad_entries"


def test_all_faults_are_told_up_to_ten_and_long_lists_and_other_encodings_are_refused() -> None:
    with pytest.raises(BadFile) as raised:
        read(json.dumps([{"question": "A?"}] * 12))
    assert str(raised.value).count("answer is missing") == 10
    assert "2 more lines have errors." in str(raised.value)

    with refused(BadFile, "list_invalid"):
        read(json.dumps([{"question": f"A{n}?", "answer": "B."} for n in range(MAX_ENTRIES + 1)]))
    with refused(BadFile, "list_invalid"):
        read(json.dumps([{"question": "A?", "answer": "b" * 20_001}]))

    with pytest.raises(BadFile, match="UTF-8"):
        read_entries('question,answer\nÜ?,"ä"\n'.encode("latin-1"))


@pytest.mark.parametrize(
    "data", [b"%PDF-1.7", b"{\\rtf1}", b'{"":"WARNING!","doc_id":"1a"}', b"Some words.", b"", b"[%PDF-1.7", b"PK\x03\x04"]
)
def test_other_files_are_no_lists(data: bytes) -> None:
    assert not is_entries(data)


@pytest.mark.parametrize("data", [b'{"doc_id": 7, "question": "A?", "answer": "B."}', b"doc_id,question,answer\n7,A?,B.\n"])
def test_a_list_may_have_fields_of_its_own(data: bytes) -> None:
    assert is_entries(data)


def test_each_entry_is_a_chapter_with_the_sentences_of_its_answer_in_a_source_like_a_pdf() -> None:
    entries = [READ, QuestionEntry("How?", "First. Then.\n\n- One\n- Two", "resolved_query", "c1")]

    book = book_of_entries(entries, BookId("faq"), "v")

    chapters = [(each.title, each.module, each.file) for each in book.chapters]
    assert chapters == [("When is it due?", "physics", "faq/7"), ("How?", None, "resolved_query/c1")]
    first, *second = [(each.text, each.address.chapter.index, each.address.paragraph) for each in book.sentences]
    assert first == ("On Friday.", 0, 0)
    assert second == [("First.", 1, 0), ("Then.", 1, 0), ("- One", 1, 1), ("- Two", 1, 2)]
    assert book.report.chapter_source == "entries"

    book = read_source(json.dumps([ENTRY]).encode(), BookId("faq"))
    assert [each.text for each in book.sentences] == ["On Friday."]
