import io
import zipfile
import zlib
from dataclasses import replace

import pymupdf
import pytest

from bookreader.book import DEFAULT_LIMITS, Limits
from bookreader.errors import BadFile
from bookreader.pdf.read import mupdf_errors_as_ours, open_pdf
from tests.support.pdfs import PROSE, a_locked_pdf, a_page_tree_that_loops, a_pdf, a_pdf_of


def refusal(pdf: bytes, limits: Limits = DEFAULT_LIMITS) -> BadFile:
    with pytest.raises(BadFile) as caught:
        open_pdf(pdf, limits)
    return caught.value


def a_zip(*names: str) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        for name in names:
            archive.writestr(name, "x")
    return file.getvalue()


@pytest.mark.parametrize(
    ("file", "look"),
    [
        (a_zip("[Content_Types].xml", "word/document.xml"), "a Word document"),
        (a_zip("mimetype", "xl/workbook.xml"), "a spreadsheet"),
        (a_zip("notes.txt"), "a ZIP archive"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "an old Office document"),
        (b"\r\n<!DOCTYPE HTML><html><body>Please log in</body></html>", "a web page"),
        (b"{\\rtf1\\ansi Hello}", "a rich text document"),
        (b"\x89PNG\r\n\x1a\n", "a picture"),
        (b"Chapter One\n\nCall me Ishmael.", "plain text"),
        (bytes(range(128, 256)), "something else"),
    ],
)
def test_another_kind_of_file_is_named(file: bytes, look: str) -> None:
    error = refusal(file)

    assert error.reason == "not_a_pdf"
    assert look in str(error)


def test_an_empty_file_is_called_empty() -> None:
    error = refusal(b"")

    assert error.reason == "not_a_pdf"
    assert "empty" in str(error)


def test_bytes_before_the_header_do_no_harm() -> None:
    assert open_pdf(b"HTTP/1.1 200 OK\r\n\r\n" + a_pdf(), DEFAULT_LIMITS).page_count == 1


def test_a_password_to_read_is_a_refusal() -> None:
    assert refusal(a_locked_pdf(user_password="secret")).reason == "encrypted"


def test_a_password_that_only_forbids_printing_does_not_keep_readers_out() -> None:
    document = open_pdf(a_locked_pdf(), DEFAULT_LIMITS)

    assert "one very simple principle" in document[0].get_text()


def test_no_pages_is_a_refusal() -> None:
    empty = a_pdf_of(b"<< /Type /Catalog /Pages 2 0 R >>", b"<< /Type /Pages /Count 0 /Kids [] >>")

    assert refusal(empty).reason == "no_pages"


def test_more_pages_than_allowed_are_refused_and_both_numbers_named() -> None:
    error = refusal(a_pdf(*["Page."] * 4), replace(DEFAULT_LIMITS, pages=3))

    assert error.reason == "too_many_pages"
    assert "4 pages; the limit is 3" in str(error)


def test_more_bytes_than_allowed_are_refused_unread() -> None:
    assert refusal(b"x" * 11, replace(DEFAULT_LIMITS, bytes=10)).reason == "too_many_bytes"


def test_a_page_tree_that_loops_is_refused() -> None:
    assert refusal(a_page_tree_that_loops()).reason in {"damaged", "no_pages"}


@pytest.mark.parametrize("kept", [20, 100, 0.3, 0.6, 0.9, 0.97])
def test_a_download_that_broke_off_is_refused(kept: float) -> None:
    whole = a_pdf(*[PROSE] * 20)
    length = int(kept * len(whole)) if kept < 1 else int(kept)

    assert refusal(whole[:length]).reason in {"damaged", "no_pages"}


def test_a_page_whose_drawing_breaks_off_is_refused_and_named() -> None:
    document = pymupdf.open(stream=a_pdf("First.", PROSE))
    [xref] = document[1].get_contents()
    packed = zlib.compress(document.xref_stream(xref))
    document.update_stream(xref, packed[: len(packed) // 2], compress=False)
    document.xref_set_key(xref, "Filter", "/FlateDecode")

    error = refusal(document.tobytes())

    assert error.reason == "damaged"
    assert "Page 2" in str(error)


def test_running_out_of_memory_is_told_apart_from_damage() -> None:
    with pytest.raises(BadFile) as caught, mupdf_errors_as_ours():
        raise MemoryError

    assert caught.value.reason == "too_much_memory"
