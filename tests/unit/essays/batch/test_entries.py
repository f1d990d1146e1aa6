"""Essays are read line by line, and one that cannot be used says why."""

import io
import json
import unicodedata
import zipfile

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chapterverse.essays.batch.entries import EssayEntry, entries_in_files, entries_in_jsonl, entries_in_zip
from chapterverse.essays.text import text_in_sandbox
from chapterverse.essays.text_worker import text_in
from chapterverse.messages import message
from tests.support.documents import word
from tests.support.pdfs import a_pdf


def jsonl(*values: object) -> bytes:
    return "\n".join(json.dumps(value) for value in values).encode()


def test_each_line_is_an_essay_and_empty_ones_and_a_mark_at_the_start_do_no_harm() -> None:
    data = b"\xef\xbb\xbf" + jsonl({"id": "ada", "title": "Speech", "text": "I say so."}) + b"\r\n\r\n"
    data += jsonl({"id": 7, "text": "So do I."}, {"text": "Nor I."})

    assert entries_in_jsonl(data) == [
        EssayEntry(1, "ada", "Speech", "I say so."),
        EssayEntry(3, "7", None, "So do I."),
        EssayEntry(4, "4", None, "Nor I."),  # called by its number
    ]


@pytest.mark.parametrize(
    ("line", "told"),
    [
        (b"{", "Line 1 is not valid JSON"),
        (b"\xff\xfe", "Line 1 is not valid JSON"),
        (b"[1]", "Line 1 is not an object"),
        (b"{}", "Line 1 has no text"),
        (b'{"text": "  "}', "Line 1 has no text"),
        (b'{"text": ["a"]}', 'In Line 1, "text" must be text'),
        (b'{"id": {"a": 1}, "text": "b"}', 'In Line 1, "id" must be text'),
        (b'{"id": "a\\nb", "text": "b"}', "one line"),
        (json.dumps({"id": "a" * 201, "text": "b"}).encode(), "at most 200 characters"),
    ],
)
def test_a_line_that_cannot_be_used_says_why_and_the_next_is_read(line: bytes, told: str) -> None:
    bad, good = entries_in_jsonl(line + b"\n" + jsonl({"text": "I say so."}))

    assert told in str(bad.problem or "")
    assert (bad.text, good.problem) == ("", None)


def test_a_file_is_called_by_its_name_and_one_that_is_no_text_or_a_pdf_without_text_says_so() -> None:
    essay = word("<w:p><w:r><w:t>I say so.</w:t></w:r></w:p>")
    files = [("class/ada.docx", essay), ("ben.txt", "Caf\xe9".encode("cp1252")), ("cy.pdf", a_pdf(""))]
    files += [("dan.md", b"# Speech\n\nI say so."), ("eve.txt", b"\0")]

    [ada, ben, cy, dan, eve] = entries_in_files(files, text_in_sandbox)

    assert (ada.id, ada.text, ben.text) == ("ada", "I say so.", "Caf\xe9")
    assert (cy.id, cy.text, bool(cy.problem)) == ("cy", "", True)
    assert (dan.id, dan.text, dan.problem) == ("dan", "# Speech\n\nI say so.", None)
    assert (eve.id, eve.problem) == ("eve", message("file_kind_unknown"))


def test_files_of_one_name_are_called_by_their_folders_as_learning_platforms_pack_them() -> None:
    files = [("Ada_1_file/essay.txt", b"I say so."), ("Ben_2_file/essay.txt", b"So do I."), ("Cy_3_file/mine.txt", b"Not I.")]

    assert [one.id for one in entries_in_files(files, text_in)] == ["Ada_1_file: essay", "Ben_2_file: essay", "mine"]


class NamedByMac(zipfile.ZipInfo):
    """Letters parted from their accents, in UTF-8, and no bit that says so (macOS 15's Archive Utility)."""

    def _encodeFilenameFlags(self) -> tuple[bytes, int]:  # noqa: N802
        return unicodedata.normalize("NFD", self.filename).encode(), 0


def zip_of_a_mac(*paths: str) -> bytes:
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w") as archive:
        for path in paths:
            archive.writestr(NamedByMac(path), b"I say so.")
    return data.getvalue()


def test_names_in_a_zip_of_a_mac_are_read_as_they_were_written() -> None:
    names = ["Müller, Jörg.txt", "王小明.txt", "10b/Ada.txt", "__MACOSX/10b/._Ada.txt", "10b/.DS_Store", "10b/~$Ada.txt"]

    found = entries_in_zip(zip_of_a_mac(*names), 10, 10_000, text_in)

    assert [one.id for one in found] == ["Ada", "Müller, Jörg", "王小明"]


@given(st.binary(max_size=200))
def test_whatever_is_sent_each_line_is_an_entry_with_text_or_a_problem(data: bytes) -> None:
    found = entries_in_jsonl(data)

    assert len(found) == sum(bool(line.strip()) for line in data.split(b"\n"))
    assert all(bool(each.text) != bool(each.problem) and each.id for each in found)
