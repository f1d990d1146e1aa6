from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial

import numpy as np
import pymupdf
import pytest

from bookreader.book import Book, BookId, Sentence
from bookreader.errors import BadFile, RecognitionFailed
from bookreader.ocr import Picture, RecognizedWord
from bookreader.pdf.parse import parse_book
from bookreader.pdf.read import read_pages
from bookreader.scans.recognition import pages_to_recognize, read_scans
from tests.support.pdfs import a_pdf

SAID = "Sentence number {} of page {} says something that no other sentence says."
TEXTS = [" ".join(SAID.format(number, page) for number in range(9)) for page in ("one", "two", "three")]
SIZE = 400, 600
SCALE = 4  # pixels per point
NO_WORDS = "hada Tt T fora hiS 1t qxzv ago.2 etc.? ago.!” a_ ina area* area’ area° vour nor area. 1508-12 area-scéne area-vour"


@dataclass
class Seeing:
    """A recognizer that finds these words on every page."""

    words: list[list[RecognizedWord]] = field(default_factory=list)
    engine: str = "Seeing"
    dpi: int = 72 * SCALE
    megabytes: int = 0
    languages: list[str] = field(default_factory=list)

    def lines(self, picture: Picture, language: str = "") -> list[list[RecognizedWord]]:
        self.languages.append(language)
        return self.words


@dataclass
class Failing:
    engine: str = "Failing"
    dpi: int = 72
    megabytes: int = 0

    def lines(self, picture: Picture, language: str = "") -> list[list[RecognizedWord]]:
        raise RecognitionFailed("recognition_no_memory")


def words_of(pdf: bytes, page: int = 0, confidence: float = 0.95) -> list[list[RecognizedWord]]:
    """The words of a page's text layer, as a recognizer gives them."""
    lines: dict[tuple[int, int], list[RecognizedWord]] = {}
    for x0, _, x1, y1, text, block, line, _ in pymupdf.open(stream=pdf)[page].get_text("words"):
        base = y1 - 3.3
        high = any(letter in "bdfhkltSA0123456789" for letter in text)
        deep = any(letter in "gpqyj" for letter in text)
        box = x0, base - (7.6 if high else 5.1), x1, base + (2.4 if deep else 0)
        lines.setdefault((block, line), []).append(RecognizedWord(text, *(SCALE * edge for edge in box), confidence))
    return list(lines.values())


def a_scan(pdf: bytes, *, angle: int = 0, scanned: Callable[[int], bool] = lambda _: True) -> bytes:
    """The PDF with pages that are only pictures."""
    document, made = pymupdf.open(stream=pdf), pymupdf.open()
    for page in document:
        if not scanned(page.number):
            made.insert_pdf(document, from_page=page.number, to_page=page.number)
            continue
        drawn = page.get_pixmap(matrix=pymupdf.Matrix(4, 4).prerotate(angle), colorspace=pymupdf.csGRAY)
        width, height = (SIZE[1], SIZE[0]) if angle % 180 else SIZE
        new = made.new_page(width=width, height=height)
        new.insert_image(new.rect, pixmap=drawn)
    return bytes(made.tobytes())


def read(pdf: bytes, recognizer: Seeing | Failing) -> Book:
    return parse_book(pdf, BookId("scan"), scans=partial(read_scans, recognizer=recognizer))


def test_a_scan_becomes_a_book_of_sentences_with_boxes_and_confidence() -> None:
    plain = a_pdf(TEXTS[0])
    expected = parse_book(plain, BookId("plain"))

    book = read(a_scan(plain), Seeing(words_of(plain)))

    assert [each.text for each in book.sentences] == [each.text for each in expected.sentences]
    assert book.report.recognized_pages == (0,)
    assert all(each.confidence == pytest.approx(0.95) and each.quotable for each in book.sentences)
    for mine, theirs in zip(book.sentences, expected.sentences, strict=True):
        for a, b in zip(mine.address.places[0].boxes, theirs.address.places[0].boxes, strict=True):
            assert (a.x0, a.x1) == pytest.approx((b.x0, b.x1), abs=2)
            assert b.y0 < (a.y0 + a.y1) / 2 < b.y1


Changes = dict[tuple[int, int], dict[str, object]]
"""By line and word what is seen otherwise."""


def seen_as(changes: Changes) -> list[Sentence]:
    """A page of nine sentences with these words seen otherwise."""
    plain = a_pdf(TEXTS[0])
    words = words_of(plain)
    for (line, at), change in changes.items():
        words[line][at] = words[line][at]._replace(**change)
    return list(read(a_scan(plain), Seeing(words)).sentences)


@pytest.mark.parametrize("change", [{"confidence": 0.3}, *({"text": wrong, "confidence": 0.89} for wrong in NO_WORDS.split())])
def test_a_sentence_with_a_doubtful_word_or_one_that_is_none_is_not_quoted(change: dict[str, object]) -> None:
    first, *others = seen_as({(0, 4): change})

    assert str(change.get("text", "")) in first.text
    assert not first.quotable
    assert all(each.quotable for each in others)


@pytest.mark.parametrize("seen", ["{}!", "{}?", "{}®", "{}”?", "{}12", "{}1°"])
def test_a_sign_behind_a_stop_is_the_call_of_a_note(seen: str) -> None:
    words = words_of(a_pdf(TEXTS[0]))
    place = next((line, at) for line, own in enumerate(words) for at, word in enumerate(own) if word.text[-1] == ".")
    whole = words[place[0]][place[1]].text

    assert any(each.text.rstrip("”").endswith(whole) for each in seen_as({place: {"text": seen.format(whole)}}))


@pytest.mark.parametrize("right", ["McDonald", "1st", "Professor", "O’Neill", "I", "area", "20°"])
def test_an_unusual_word_is_not_doubtful(right: str) -> None:
    assert all(each.quotable for each in seen_as({(0, 4): {"text": right}}))


def test_all_of_a_worn_page_is_doubtful() -> None:
    worn = seen_as({(0, at): {"confidence": 0.3} for at in range(4)})
    assert [each.quotable for each in worn] == [False] * 9


def test_covers_stamps_and_pages_with_text_are_not_recognized() -> None:
    with pymupdf.open() as document:
        cover = document.new_page(width=400, height=600)
        dark = pymupdf.Pixmap(pymupdf.csGRAY, pymupdf.IRect(0, 0, 400, 600))
        dark.clear_with(90)
        cover.insert_image(cover.rect, pixmap=dark)
        document.insert_pdf(pymupdf.open(stream=a_pdf(*TEXTS)))
        document.insert_pdf(pymupdf.open(stream=a_scan(a_pdf(TEXTS[0]))))
        assert pages_to_recognize(document, read_pages(document)) == [4]

    with pymupdf.open(stream=a_scan(a_pdf(*TEXTS))) as document:
        for page in document:
            page.insert_text((50, 590), "Digitized by the library of a large university")
        assert pages_to_recognize(document, read_pages(document)) == [0, 1, 2]


def test_only_pages_that_are_pictures_are_recognized() -> None:
    plain = a_pdf(*TEXTS)
    mixed = a_scan(plain, scanned=lambda page: page == 1)
    seen: list[tuple[int, int]] = []
    scans = partial(read_scans, recognizer=Seeing(words_of(plain, 1)), progress=lambda *n: seen.append(n))

    book = parse_book(mixed, BookId("mixed"), scans=scans)

    assert book.report.recognized_pages == (1,)
    assert {each.confidence is None for each in book.sentences if each.address.places[0].page_index == 0} == {True}
    assert seen == [(3, 3)]


@pytest.mark.parametrize(
    ("layer", "recognized"), [("Wkh txlfn eurzq ir{ mxpsv ryhu wkh od}b grj " * 9, [0]), (TEXTS[0], [])], ids=["none", "good"]
)
def test_a_scan_is_recognized_unless_its_text_layer_is_text(layer: str, recognized: list[int]) -> None:
    with pymupdf.open(stream=a_scan(a_pdf(TEXTS[0]))) as document:
        document[0].insert_textbox(pymupdf.Rect(50, 50, 350, 550), layer, render_mode=3)

        assert pages_to_recognize(document, read_pages(document)) == recognized


def test_neither_a_small_nor_an_almost_white_picture_is_recognized() -> None:
    with pymupdf.open() as document:
        page = document.new_page(width=400, height=600)
        page.insert_image(pymupdf.Rect(50, 50, 200, 150), pixmap=pymupdf.Pixmap(pymupdf.csGRAY, pymupdf.IRect(0, 0, 50, 50)))
        assert pages_to_recognize(document, read_pages(document)) == []

    with pymupdf.open() as document:
        page = document.new_page(width=400, height=600)
        white = np.full((300, 200), 255, np.uint8)
        page.insert_image(page.rect, pixmap=pymupdf.Pixmap(pymupdf.csGRAY, 200, 300, white.tobytes(), False))
        with pytest.raises(BadFile):
            read(bytes(document.tobytes()), Seeing())


def test_a_page_on_its_side_is_turned_and_its_boxes_are_where_it_is_shown() -> None:
    plain = a_pdf(TEXTS[0])

    book = read(a_scan(plain, angle=90), Seeing(words_of(plain)))

    boxes = [box for each in book.sentences for box in each.address.places[0].boxes]
    assert boxes
    assert all(box.x1 - box.x0 < box.y1 - box.y0 for box in boxes if box.y1 - box.y0 > 30)


def test_the_language_of_the_first_pages_is_asked_for_on_the_next() -> None:
    plain = a_pdf(*["The end of the book is in the hands of the reader and of the teacher that reads it. " * 3] * 3)
    recognizer = Seeing(words_of(plain))

    read(a_scan(plain), recognizer)

    assert recognizer.languages == ["", "en", "en"]


def test_where_a_page_cannot_be_recognized_or_there_is_no_text_the_cause_is_named() -> None:
    with pytest.raises(BadFile) as refused:
        read(a_scan(a_pdf(*TEXTS), scanned=lambda page: page == 2), Failing())
    assert refused.value.reason == "not_recognized"
    assert "Page 3" in str(refused.value)
    assert "(Failing) could not read it: it ran out of memory." in str(refused.value)

    scan = a_scan(a_pdf(TEXTS[0]))
    for id, work in (
        ("pdf_not_recognized", lambda: read(scan, Seeing())),
        ("pdf_blank", lambda: read(a_pdf(["1"]), Seeing())),
        ("pdf_without_text", lambda: parse_book(scan, BookId("scan"))),
        ("pdf_blank", lambda: parse_book(a_pdf(["1"]), BookId("blank"))),  # with no recognizer, which would find nothing either
    ):
        with pytest.raises(BadFile) as refused:
            work()
        assert refused.value.id == id


def test_a_capital_as_low_as_an_x_is_not_sure_where_no_small_letter_looks_like_it() -> None:
    pdf = a_pdf("The man in our house means more than we can see in a year. " + "Then he goes on and on. " * 6)
    words = [[word._replace(text="Means") if word.text == "means" else word for word in line] for line in words_of(pdf)]

    first, *_, last = read(a_scan(pdf), Seeing(words)).sentences

    assert not first.quotable
    assert last.quotable


@pytest.mark.parametrize(("seen", "text"), [("Sees", "sees"), ("Says", "Says")])
def test_a_small_letter_read_as_a_capital_is_small_if_it_is_as_low_as_an_x(seen: str, text: str) -> None:
    pdf = a_pdf(f"The man in our house {text} more than we can see in a year. He goes on and on. " * 3)
    words = [[word._replace(text=seen) if word.text == text else word for word in line] for line in words_of(pdf)]
    book = read(a_scan(pdf), Seeing(words))

    assert f"house {text} more" in book.sentences[0].text
