import pymupdf
import pytest

from bookreader.pdf.characters import UNKNOWN, Span, put_right, style_of
from bookreader.pdf.model import PdfPage
from bookreader.pdf.read import read_pages
from tests.support.ink import Ink, Run, draw
from tests.support.press import Design
from tests.support.typeset import page, para, scan, typeset

WIDE = Design(justified=False)


def pages_of(pdf: bytes) -> list[PdfPage]:
    with pymupdf.open(stream=pdf) as document:
        return read_pages(document)


def drawn(*inks: Ink) -> PdfPage:
    """One page with these runs on it."""
    with pymupdf.open() as document:
        draw(document.new_page(width=360, height=520), inks)
        [page] = read_pages(document)
    return page


def texts(page: PdfPage) -> list[str]:
    return [line.text for line in page.lines]


def test_lines_come_with_their_baseline_and_their_type() -> None:
    [page_read] = pages_of(typeset(page("It rained.", "Nobody came."), design=WIDE))

    assert texts(page_read) == ["It rained.", "Nobody came."]
    assert [line.baseline for line in page_read.lines] == pytest.approx([66, 79])
    assert {line.size for line in page_read.lines} == {10}
    assert page_read.lines[0].x0 == pytest.approx(50, abs=0.5)


def test_ligatures_are_written_out() -> None:
    [page_read] = pages_of(typeset(page("The o\ufb03ce \ufb01nds the \ufb02ood di\ufb00icult."), design=WIDE))

    assert texts(page_read) == ["The office finds the flood difficult."]


def test_invisible_characters_are_dropped_but_a_soft_hyphen_is_kept() -> None:
    [page_read] = pages_of(typeset(page("riv\u200ber\ufeff bo\u00adat"), design=WIDE))

    assert texts(page_read) == ["river bo\u00adat"]


def test_a_raised_number_is_glued_to_its_word_and_known_as_raised() -> None:
    [page_read] = pages_of(typeset(page("The harbour^12 froze."), design=WIDE))

    tokens = {token.text: token for token in page_read.lines[0].tokens}
    assert tokens["12"].raised
    assert tokens["12"].glued
    assert not tokens["harbour"].raised


def test_a_word_in_two_sizes_is_one_word() -> None:
    [page_read] = pages_of(typeset(para("Harbours are cold.", opening="small capitals"), design=WIDE))

    assert texts(page_read) == ["HARBOURS ARE COLD."]


def test_turned_text_is_left_out() -> None:
    read = drawn(
        Ink(50, 80, Run("It rained.", 10)), Ink(100, 400, Run("DRAFT", 60), rotation=45), Ink(20, 300, Run("Spine", 9), 90)
    )

    assert texts(read) == ["It rained."]


def test_spaced_letters_are_one_word() -> None:
    read = drawn(*(Ink(50 + 12 * i, 80, Run(letter, 10)) for i, letter in enumerate("HARBOUR")))

    assert texts(read) == ["HARBOUR"]


def test_a_picture_of_a_page_has_no_lines_but_an_image() -> None:
    [page_read, _] = pages_of(typeset(scan(), page("It rained.")))

    assert (page_read.lines, page_read.images) == ((), 1)


def test_bold_and_italic_are_seen_in_the_fonts_name() -> None:
    read = drawn(Ink(50, 80, Run("Bold", 10, "tibo")), Ink(50, 100, Run("Slanted", 10, "tiit")), Ink(50, 120, Run("Plain", 10)))

    assert [(line.style.bold, line.style.italic) for line in read.lines] == [(True, False), (False, True), (False, False)]


GLYPHS = {"b": "b", "=": "equal", ";": "semicolon"}


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


def test_a_font_made_of_pixels_has_the_size_of_its_letters() -> None:
    (line,) = pages_of(bitmap_font_pdf("bbb"))[0].lines

    assert line.text == "bbb"
    assert line.size == pytest.approx(10.1, abs=0.2)
    assert line.y1 - line.y0 == pytest.approx(9.2, abs=0.4)


def test_what_makes_no_words_in_such_a_font_is_sure_only_where_all_letters_are_equally_wide() -> None:
    lines = [pages_of(bitmap_font_pdf(text))[0].lines for text in ("b=b;" * 8, "b=b;" * 3)]

    assert [{token.exact for line in each for token in line.tokens} for each in lines] == [{True}, {False}]


def test_a_letter_that_is_turned_round_in_a_line_is_an_unknown_sign() -> None:
    before, x = "They all read with X", 72 + pymupdf.get_text_length("They all read with X")
    with pymupdf.open() as document:
        page = document.new_page()
        page.insert_text((72, 100), before)
        page.insert_text((x + 8, 100), "E", morph=(pymupdf.Point(x + 8, 100), pymupdf.Matrix(-1, 1)))
        page.insert_text((x + 9, 100), "TeX now.")
        [read] = read_pages(document)

    tokens = sorted((token for line in read.lines for token in line.tokens), key=lambda token: token.x0)
    assert [token.exact for token in tokens if "\ufffd" in token.text] == [False]


def test_a_short_rule_in_a_blank_at_the_baseline_is_an_underscore() -> None:
    with pymupdf.open() as document:
        made = document.new_page()
        made.insert_text((72, 100), "prior", fontsize=10)
        end = 72 + pymupdf.get_text_length("prior", fontsize=10)
        made.draw_line((end + 0.3, 100.2), (end + 3.6, 100.2), width=0.4)
        made.insert_text((end + 4, 100), "decay of it", fontsize=10)

        [line] = read_pages(document)[0].lines

    assert line.text == "prior_decay of it"


def test_half_of_a_character_is_an_unknown_sign() -> None:
    chars = [{"c": "\ud80c", "bbox": (0, 0, 5, 10), "origin": (0, 8), "synthetic": False}]
    half = Span(chars, "\ud80c", style_of("Times", 10, 0, 0), 10, 8, 0, 10)

    assert [span.text for span in put_right([half])] == [UNKNOWN]
