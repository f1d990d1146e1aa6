import io
import zipfile
import zlib
from dataclasses import replace

import pymupdf
import pytest

from bookreader.book import DEFAULT_LIMITS, Limits
from bookreader.errors import BadFile
from bookreader.pdf.characters import UNKNOWN, Span, put_right, style_of
from bookreader.pdf.model import PdfPage
from bookreader.pdf.read import mupdf_errors_as_ours, open_pdf, read_pages
from tests.support.ink import Ink, Run, draw, ink_of, width_of, words_of
from tests.support.pdfs import PROSE, a_locked_pdf, a_page_tree_that_loops, a_pdf, a_pdf_of
from tests.support.press import Design
from tests.support.typeset import page, para, scan, typeset

WIDE = Design(justified=False)
GLYPHS = {"b": "b", "=": "equal", ";": "semicolon"}


def pages_of(pdf: bytes) -> list[PdfPage]:
    with pymupdf.open(stream=pdf) as document:
        return read_pages(document)


def drawn(*inks: Ink, width: float = 360) -> PdfPage:
    """One page with these runs on it."""
    with pymupdf.open() as document:
        draw(document.new_page(width=width, height=520), inks)
        [page] = read_pages(document)
    return page


def texts(page: PdfPage) -> list[str]:
    return [line.text for line in page.lines]


def test_lines_come_with_their_baseline_and_type_bold_and_italic_too() -> None:
    [page_read] = pages_of(typeset(page("It rained.", "Nobody came."), design=WIDE))
    assert texts(page_read) == ["It rained.", "Nobody came."]
    assert [line.baseline for line in page_read.lines] == pytest.approx([66, 79])
    assert {line.size for line in page_read.lines} == {10}
    assert page_read.lines[0].x0 == pytest.approx(50, abs=0.5)

    read = drawn(Ink(50, 80, Run("Bold", 10, "tibo")), Ink(50, 100, Run("Slanted", 10, "tiit")), Ink(50, 120, Run("Plain", 10)))
    assert [(line.style.bold, line.style.italic) for line in read.lines] == [(True, False), (False, True), (False, False)]

    [page_read] = pages_of(typeset(para("Harbours are cold.", opening="small capitals"), design=WIDE))
    assert texts(page_read) == ["HARBOURS ARE COLD."]

    [page_read] = pages_of(typeset(page("The harbour^12 froze."), design=WIDE))
    looks = {token.text: (token.raised, token.glued) for token in page_read.lines[0].tokens}
    assert (looks["12"], looks["harbour"]) == ((True, True), (False, False))

    [page_read, _] = pages_of(typeset(scan(), page("It rained.")))
    assert (page_read.lines, page_read.images) == ((), 1)


def test_ligatures_are_written_out_and_invisible_characters_but_a_soft_hyphen_are_dropped() -> None:
    [page_read] = pages_of(typeset(page("The o\ufb03ce \ufb01nds the \ufb02ood di\ufb00icult."), design=WIDE))
    assert texts(page_read) == ["The office finds the flood difficult."]

    [page_read] = pages_of(typeset(page("riv\u200ber\ufeff bo\u00adat"), design=WIDE))
    assert texts(page_read) == ["river bo\u00adat"]


def test_turned_text_is_left_out() -> None:
    turned = Ink(100, 400, Run("DRAFT", 60), rotation=45), Ink(20, 300, Run("Spine", 9), 90)
    assert texts(drawn(Ink(50, 80, Run("It rained.", 10)), *turned)) == ["It rained."]


def bitmap_font_pdf(text: str) -> bytes:
    """A page with the text in a Type 3 font of letters that are 29 units high, of which 0.24 points are one: type of 10."""
    document = pymupdf.open()
    page = document.new_page()
    glyph = document.get_new_xref()
    document.update_object(glyph, "<<>>")
    document.update_stream(glyph, b"20 0 0 0 18 29 d1 0 0 18 29 re f")
    font = document.get_new_xref()
    document.update_object(
        font,
        f"<</Type/Font/Subtype/Type3/FontBBox[0 0 1 1]/FontMatrix[1 0 0 1 0 0]/FirstChar 59/LastChar 98"
        f"/Widths[{'20 ' * 40}]"
        f"/CharProcs<<{''.join(f'/{name} {glyph} 0 R' for name in GLYPHS.values())}>>/Encoding<</Type/Encoding/Differences"
        f"[{''.join(f'{ord(letter)}/{name} ' for letter, name in GLYPHS.items())}]>>/Resources<<>>>>",
    )
    content = document.get_new_xref()
    document.update_object(content, "<<>>")
    document.update_stream(content, f"BT /F1 0.24 Tf 100 700 Td ({text}) Tj ET".encode())
    document.xref_set_key(page.xref, "Contents", f"{content} 0 R")
    document.xref_set_key(page.xref, "Resources", f"<</Font<</F1 {font} 0 R>>>>")
    return bytes(document.tobytes())


def test_letters_of_a_font_made_of_pixels_have_their_size_and_are_sure_where_all_are_equally_wide() -> None:
    (line,) = pages_of(bitmap_font_pdf("bbb"))[0].lines
    assert line.text == "bbb"
    assert line.size == pytest.approx(10.1, abs=0.2)
    assert line.y1 - line.y0 == pytest.approx(9.2, abs=0.4)

    lines = [pages_of(bitmap_font_pdf(text))[0].lines for text in ("b=b;" * 8, "b=b;" * 3)]
    assert [{token.exact for line in each for token in line.tokens} for each in lines] == [{True}, {False}]


def test_a_short_rule_is_an_underscore_or_a_bond_a_long_one_a_blank_and_half_of_a_character_an_unknown_sign() -> None:
    with pymupdf.open() as document:
        made = document.new_page()
        end = 72 + pymupdf.get_text_length("prior", fontsize=10)
        for y, rule in ((100, 100.2), (150, 146.8)):
            made.insert_text((72, y), "prior", fontsize=10)
            made.draw_line((end + 0.3, rule), (end + 3.6, rule), width=0.4)
            made.insert_text((end + 4, y), "decay of it", fontsize=10)
        made.draw_line((72, 201), (100, 201), width=0.4)
        made.draw_line((72, 301), (100, 301), width=0.4)
        for text, y in (("lay in the harbour.", 200), (", the old one, ", 300)):
            made.insert_text((103, y), text, fontsize=10)
        made.insert_text((72, 700), "hidden", fontsize=0.04)
        [line, bond, *others, _] = read_pages(document)[0].lines
    assert [each.text for each in (line, bond)] == ["prior_decay of it", "prior–decay of it"]
    assert [all(token.exact for token in each.tokens) for each in (line, bond, *others)] == [True, False, False, False]
    assert [each.text for each in others] == ["____ lay in the harbour.", "____, the old one,"]

    chars = [{"c": "\ud80c", "bbox": (0, 0, 5, 10), "origin": (0, 8), "synthetic": False}]
    half = Span(chars, "\ud80c", style_of("Times", 10, 0, 0), 10, 8, 0, 10)
    assert [span.text for span in put_right([half])] == [UNKNOWN]
    assert [style_of(f"AdvTT{face}", 10, 0, 0).bold for face in (".B", ".I")] == [True, False]


def read_line(*inks: Ink) -> str:
    """The one line of a page with these runs."""
    return " ".join(texts(drawn(*inks, width=500)))


def spaced(text: str, by: float, size: float = 10) -> list[Ink]:
    """Letter by letter, moved apart by so many points; blanks are only gaps."""
    inks, x = list[Ink](), 50.0
    for letter in text:
        run = Run(letter, size)
        if letter != " ":
            inks.append(Ink(x, 80, run))
        x += run.width + by
    return inks


@pytest.mark.parametrize("by", [0, 0.5, 1, 2])
def test_letters_set_apart_make_words(by: float) -> None:
    assert read_line(*spaced("THE OLD HARBOUR", by)) == "THE OLD HARBOUR"


@pytest.mark.parametrize(
    ("text", "wider"),
    [("Ripples in the stone", -1.25), ("There is ice... and fog", -1.25), ("so did I a year ago", 0), ("It rained all day", 9)],
)
def test_blanks_narrower_or_wider_than_usual_part_words(text: str, wider: float) -> None:
    words = words_of(text, 10)

    assert read_line(*ink_of(words, 50, 80, stretched_to=width_of(words) + wider * (len(words) - 1))) == text


@pytest.mark.parametrize(
    ("text", "read"), [("The \ufb01 lms ran", "The films ran"), ("o\ufb00 ice", "off ice"), ("Pro\ufb01 is", "Profi is")]
)
def test_a_blank_after_a_ligature_parts_no_word(text: str, read: str) -> None:
    assert read_line(Ink(50, 80, Run(text, 10))) == read


def test_what_is_printed_twice_is_read_once() -> None:
    inks = ink_of(words_of("The old harbour", 10), 50, 80)
    assert read_line(*inks, *(replace(ink, x=ink.x + 0.25) for ink in inks)) == "The old harbour"

    inks = [*ink_of(words_of("So what will be the most now?", 10), 50, 80)]
    anew = [replace(ink, x=ink.x - 0.3, y=80.2) for ink in inks]
    assert read_line(*inks[:7], *anew[2:7], *anew[2:], *anew[9:]) == "So what will be the most now?"

    inks = [*ink_of(words_of("It rained all winter, and it still stood", 10), 50, 80)]
    anew = [replace(ink, x=ink.x + 1.4) for ink in inks]
    assert read_line(*inks, *anew[3:4], *anew[6:]) == "It rained all winter, and it still stood"


@pytest.mark.parametrize(("wider", "moved"), [(1.005, 0), (1.02, 0), (1, 1.4), (1, 2)])
def test_a_line_under_recognized_text_is_read_once(wider: float, moved: float) -> None:
    text = "It rained all winter, and the little lamps still stood along the walls of the old hall"
    inks = [*ink_of(words_of(text, 10), 50, 80)]
    anew = [replace(ink, x=50 + moved + wider * (ink.x - 50)) for ink in ink_of(words_of(text, 10 * wider), 50, 80)]

    assert read_line(*inks, *anew) == text


def open_refusal(pdf: bytes, limits: Limits = DEFAULT_LIMITS) -> BadFile:
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
        (b'{"":"WARNING!","doc_id":"1a"}', "a link to a Google document"),
        (a_zip("mimetype", "xl/workbook.xml"), "a spreadsheet"),
        (a_zip("notes.txt"), "a ZIP archive"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "an old Office document"),
        (b"\r\n<!DOCTYPE HTML><html><body>Please log in</body></html>", "a web page"),
        (b"{\\rtf1\\ansi Hello}", "a rich text document"),
        (b"\x89PNG\r\n\x1a\n", "a picture"),
        (b"Chapter One\n\nCall me Ishmael.", "plain text"),
        (bytes(range(128, 256)), "something else"),
        (b"", "empty"),
    ],
)
def test_another_kind_of_file_is_named(file: bytes, look: str) -> None:
    error = open_refusal(file)

    assert error.reason == "not_a_pdf"
    assert look in str(error)


def test_bytes_before_the_header_do_no_harm_and_no_memory_is_no_damage() -> None:
    assert open_pdf(b"HTTP/1.1 200 OK\r\n\r\n" + a_pdf(), DEFAULT_LIMITS).page_count == 1

    with pytest.raises(BadFile) as caught, mupdf_errors_as_ours():
        raise MemoryError
    assert caught.value.reason == "too_much_memory"


def test_a_password_to_read_is_a_refusal_and_one_that_only_forbids_printing_is_none() -> None:
    assert open_refusal(a_locked_pdf(user_password="secret")).reason == "encrypted"

    document = open_pdf(a_locked_pdf(), DEFAULT_LIMITS)
    assert "one very simple principle" in document[0].get_text()


def test_a_file_without_pages_or_with_more_bytes_or_pages_than_allowed_is_refused() -> None:
    empty = a_pdf_of(b"<< /Type /Catalog /Pages 2 0 R >>", b"<< /Type /Pages /Count 0 /Kids [] >>")
    assert open_refusal(empty).reason == "no_pages"

    error = open_refusal(a_pdf(*["Page."] * 4), replace(DEFAULT_LIMITS, pages=3))
    assert error.reason == "too_many_pages"
    assert "4 pages; the limit is 3" in str(error)

    assert open_refusal(b"x" * 11, replace(DEFAULT_LIMITS, bytes=10)).reason == "too_many_bytes"

    assert open_refusal(a_page_tree_that_loops()).reason in {"damaged", "no_pages"}


@pytest.mark.parametrize("kept", [20, 100, 0.3, 0.6, 0.9, 0.97])
def test_a_download_that_broke_off_is_refused(kept: float) -> None:
    whole = a_pdf(*[PROSE] * 20)
    length = int(kept * len(whole)) if kept < 1 else int(kept)

    assert open_refusal(whole[:length]).reason in {"damaged", "no_pages"}


def test_a_page_whose_drawing_breaks_off_is_refused_and_named() -> None:
    document = pymupdf.open(stream=a_pdf("First.", PROSE))
    [xref] = document[1].get_contents()
    packed = zlib.compress(document.xref_stream(xref))
    document.update_stream(xref, packed[: len(packed) // 2], compress=False)
    document.xref_set_key(xref, "Filter", "/FlateDecode")

    error = open_refusal(document.tobytes())

    assert error.reason == "damaged"
    assert "Page 2" in str(error)
