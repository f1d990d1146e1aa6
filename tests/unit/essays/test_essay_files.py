"""Files of word processors as the text of an essay."""

import pytest

from chapterverse.core.errors import BadRequest
from chapterverse.essays.text import text_in_sandbox, text_of
from chapterverse.essays.text_worker import MAX_XML_BYTES, text_in
from tests.support.documents import open_document, word, zipped
from tests.support.pdfs import a_pdf
from tests.support.refusals import refused

SPEECH = "Silencing an opinion robs mankind of truth — so said he. 🙂"


def test_word_gives_its_paragraphs_without_what_was_struck_out() -> None:
    title = '<w:p><w:pPr><w:pStyle w:val="Heading1"/></w:pPr><w:r><w:t>On Speech</w:t></w:r></w:p>'
    first = f"<w:p><w:r><w:t>{SPEECH[:10]}</w:t></w:r><w:r><w:t>{SPEECH[10:]}</w:t></w:r></w:p><w:p/>"
    second = "<w:p><w:del><w:r><w:delText>No</w:delText></w:r></w:del><w:r><w:t>One</w:t><w:tab/><w:t>two.</w:t></w:r></w:p>"

    assert text_of(word(title + first + second), text_in) == f"# On Speech\n\n{SPEECH}\n\nOne two."


def test_open_document_gives_its_paragraphs_without_notes() -> None:
    body = (
        f"<text:h>On Speech</text:h><text:p>{SPEECH}</text:p>"
        "<text:p>One<text:s/>two<text:note><text:p>A note</text:p></text:note>, three.</text:p>"
    )

    assert text_of(open_document(body), text_in) == f"# On Speech\n\n{SPEECH}\n\nOne two, three."


def test_a_pdf_gives_its_text() -> None:
    assert "Silencing an opinion robs mankind of truth." in text_of(
        a_pdf("Silencing an opinion robs mankind of truth."), text_in
    )


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp1252"])
def test_plain_text_is_read_however_it_was_written(encoding: str) -> None:
    assert text_of("“Ünïcode”\r\n\r\nTwo".encode(encoding), text_in) == "“Ünïcode”\n\nTwo"


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (b"", "no text"),
        (b"\x00\x01\x02", "not a text file"),
        (b"PK\x03\x04broken", "damaged"),
        (zipped("xl/workbook.xml", "<a/>"), "not a text document"),
        (zipped("word/document.xml", "<a"), "damaged"),
        (zipped("word/document.xml", "<!DOCTYPE a [<!ENTITY b 'c'>]><a>&b;</a>"), "damaged"),
        (word("<w:p/>"), "no text"),
        (b"\xd0\xcf\x11\xe0\xa1", "old Word"),
        (b"{\\rtf1", "Rich Text"),
        (b"\x89PNG\r\n", "picture"),
    ],
)
def test_what_cannot_be_read_says_what_to_do(data: bytes, says: str) -> None:
    with pytest.raises(BadRequest, match=says):
        text_of(data, text_in)


def test_a_pdf_without_text_is_refused_in_a_students_words() -> None:
    with refused(BadRequest, "file_without_text"):
        text_in(a_pdf(""))


def test_a_bomb_does_no_harm() -> None:
    bomb = zipped("word/document.xml", " " * (MAX_XML_BYTES + 1))
    assert len(bomb) < 100_000

    with refused(BadRequest, "file_unpacks_too_large"):
        text_of(bomb, text_in_sandbox)


def test_behind_the_wall_it_is_the_same() -> None:
    assert text_of(word(f"<w:p><w:r><w:t>{SPEECH}</w:t></w:r></w:p>"), text_in_sandbox) == SPEECH
    with pytest.raises(BadRequest, match="damaged"):
        text_of(b"PK\x03\x04broken", text_in_sandbox)
