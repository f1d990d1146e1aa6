"""Whole books, typeset here and read back."""

from collections.abc import Callable
from dataclasses import replace

import pymupdf
import pytest

from bookreader.book import DEFAULT_LIMITS, Book, BookId, Box, Kind
from bookreader.errors import BadFile
from bookreader.pdf.parse import parse_book
from tests.support.pdfs import a_pdf
from tests.support.press import PLAIN, Design
from tests.support.reading import of_kind, paragraphs_of, prose, read, told, with_words
from tests.support.typeset import chapter, page, para, section, typeset

DESIGNS = {
    "indents, justified": PLAIN,
    "indents, ragged": Design(justified=False),
    "spaces, ragged": Design(indent=0, space=7, justified=False),
    "spaces, justified": Design(indent=0, space=8),
    "both": Design(indent=12, space=5),
    "neither": Design(indent=0),
    "two columns": Design(width=470, columns=2),
    "two columns, spaces": Design(width=470, columns=2, indent=0, space=8),
    "three columns": Design(width=620, columns=3, size=9, leading=11),
    "heads and folios": Design(head="A History of the Harbour", folio="head"),
    "folios at the foot, a footer, a watermark": Design(folio="foot", footer="Downloaded on 3 May", watermark="DRAFT"),
    "line numbers": Design(line_numbers=5),
    "all of it": Design(head="The Harbour", folio="foot", footer="For the town only", watermark="COPY", line_numbers=10),
    "soft hyphens": Design(hyphen="\u00ad"),
    "true hyphens": Design(hyphen="\u2010"),
    "sans serif, large": Design(font="helv", size=12, leading=16),
    "a typewriter": Design(font="cour", size=9, justified=False),
    "double spaced": Design(leading=24, indent=28),
    "one and a half, spaces": Design(leading=18, indent=0, space=10, justified=False),
    "small pages": Design(width=250, height=330, left=30, right=30, top=40, bottom=290),
    "a head close to the text": Design(head="A History of the Harbour in Winter", folio="head", top=46),
}  # fmt: skip
NO_TITLES = ("final_v3.docx", "Microsoft Word - thesis", "(anonymous)", "PowerPoint Presentation", "Document1", "")


@pytest.mark.parametrize("design", DESIGNS.values(), ids=DESIGNS)
def test_every_paragraph_and_sentence_comes_back_in_its_place_whatever_the_design(design: Design) -> None:
    chapters = [chapter("I", "The Harbour"), *prose(12, 26), chapter("II", "The Long Winter"), *prose(12, 27)]
    pdf = typeset(*chapters, design=design)

    book = parse_book(pdf, BookId("book"))

    assert_placed(book, pdf)
    assert paragraphs_of(book) == [*told(12, 26), *told(12, 27)]
    assert of_kind(book, Kind.FOOTNOTE) == []
    assert [(each.number, each.title) for each in book.chapters] == [("I", "The Harbour"), ("II", "The Long Winter")]
    assert book.report.label_source == ("folios" if design.folio else "index")


def test_a_sentence_that_crosses_a_page_keeps_both_pages() -> None:
    pdf = typeset(page("The greatest happiness of", label="xiv"), page("the greatest number.", label="xv"))

    [sentence] = parse_book(pdf, BookId("morals")).sentences

    assert sentence.text == "The greatest happiness of the greatest number."
    assert [place.page_label for place in sentence.address.places] == ["xiv", "xv"]
    assert [len(place.boxes) for place in sentence.address.places] == [1, 1]


@pytest.fixture(scope="module")
def story() -> bytes:
    """A book with heads, folios and sections, ragged, so that no word is moved apart or broken."""
    design = Design(justified=False, head="The Harbour", folio="head", hyphen="-")
    seeds = {"I": 60, "II": 61}
    chapters = [[chapter(n, f"Of {n}"), *prose(9, i), section("The Quay"), *prose(5, 10 + i)] for n, i in seeds.items()]
    return typeset(*(element for elements in chapters for element in elements), design=design)


def test_the_words_on_the_page_inside_the_boxes_are_the_sentence(story: bytes) -> None:
    book = parse_book(story, BookId("story"))

    with pymupdf.open(stream=story) as document:
        words = [page.get_text("words") for page in document]
    for sentence in book.sentences:
        boxes = [(box, words[place.page_index]) for place in sentence.address.places for box in place.boxes]
        found = [word[4] for box, own in boxes for word in own if holds(box, word)]
        assert mended(found) == sentence.text.replace(" ", "")


def test_only_what_begins_and_ends_and_has_all_its_signs_is_quoted_and_an_item_needs_no_stop() -> None:
    boats = [chapter("II", "Boats"), para("sailing along the western coast until evening. The pilot went home.", flush=True)]
    lights = [chapter("III", "Lights"), para("The harbour has a light")]
    book = read(*prose(6, 1), *boats, *lights, chapter("IV", "Tides"), *prose(6, 2))

    found = [with_words(book, words)[0].quotable for words in ("western coast", "pilot went home", "harbour has a light")]

    assert found == [False, True, False]

    book = read(*prose(6, 1), para("• the light of the harbour", flush=True), para("(b) the pilot", flush=True), *prose(6, 2))
    found = [*with_words(book, "light of the harbour"), *with_words(book, "the pilot")]
    assert [(each.text, each.quotable) for each in found] == [("the light of the harbour", True), ("(b) the pilot", True)]

    book = read(*prose(6, 1), para("The sign of the cup , is for a blank."), para("Wait . . . then go on."), *prose(6, 2))
    assert [with_words(book, words)[0].quotable for words in ("sign of the cup", "then go on")] == [False, True]

    book = parse_book(a_pdf("ANNA. It rained all day and nobody came to the house by the sea."), BookId("play"))
    said = "It rained all day and nobody came to the house by the sea."
    assert [(each.text, each.quotable) for each in book.sentences] == [("ANNA.", False), (said, True)]


def holds(box: Box, word: tuple[float, float, float, float]) -> bool:
    """Whether a word's middle lies in the box."""
    x, y = (word[0] + word[2]) / 2, (word[1] + word[3]) / 2
    return box.x0 <= x <= box.x1 and box.y0 <= y <= box.y1


def mended(words: list[str]) -> str:
    """The words without blanks and without the hyphens of line ends (the story has no others)."""
    return "".join(words).replace("-", "")


def turned(page: pymupdf.Page) -> None:
    page.set_rotation(90)


def cropped(page: pymupdf.Page) -> None:
    page.set_cropbox(pymupdf.Rect(20, 30, 350, 500))


def mirrored(page: pymupdf.Page) -> None:
    """Every other page is moved to the right, as margins at the spine move it."""
    if page.number % 2:
        page.set_mediabox(pymupdf.Rect(-24, 0, 336, 520))


@pytest.mark.parametrize("change", [turned, cropped, mirrored])
def test_pages_are_read_as_they_are_shown(change: Callable[[pymupdf.Page], None], story: bytes) -> None:
    with pymupdf.open(stream=story) as document:
        for each in document:
            change(each)
        shown = document.tobytes()

    book = parse_book(shown, BookId("story"))

    assert_placed(book, shown)
    assert paragraphs_of(book) == paragraphs_of(parse_book(story, BookId("story")))


@pytest.mark.parametrize("angle", [0, 90, 180, 270])
def test_boxes_end_where_the_page_ends(angle: int, story: bytes) -> None:
    with pymupdf.open(stream=story) as document:
        for each in document:
            each.set_cropbox(pymupdf.Rect(67, 0, each.rect.width, each.rect.height))  # through the first letters of the lines
            each.set_rotation(angle)
        sizes, cut = [each.rect for each in document], document.tobytes()

    places = [place for sentence in parse_book(cut, BookId("story")).sentences for place in sentence.address.places]

    boxes = [(box, sizes[place.page_index]) for place in places for box in place.boxes]
    assert all(0 <= box.x0 < box.x1 <= page.x1 and 0 <= box.y0 < box.y1 <= page.y1 for box, page in boxes)
    assert any(0 in (box.x0, box.y0) or box.x1 == page.x1 or box.y1 == page.y1 for box, page in boxes)


@pytest.mark.parametrize("angle", [90, 180, 270])
def test_text_that_lies_in_the_file_and_stands_on_the_page_is_read(angle: int, story: bytes) -> None:
    with pymupdf.open(stream=story) as source, pymupdf.open() as document:
        for each in source:
            width, height = (each.rect.width, each.rect.height) if angle == 180 else (each.rect.height, each.rect.width)
            laid = document.new_page(width=width, height=height)
            laid.show_pdf_page(laid.rect, source, each.number, rotate=angle)
            laid.set_rotation(angle)
        pdf = document.tobytes()

    book = parse_book(pdf, BookId("story"))

    upright = parse_book(story, BookId("story"))
    assert paragraphs_of(book) == paragraphs_of(upright)
    turned_box, box = (each.sentences[0].address.places[0].boxes[0] for each in (book, upright))
    assert turned_box.x0 == pytest.approx(box.x0, abs=1)


def test_a_book_of_more_words_than_allowed_is_a_refusal() -> None:
    with pytest.raises(BadFile) as caught:
        parse_book(typeset(*prose(6)), BookId("long"), replace(DEFAULT_LIMITS, words=100))

    assert caught.value.reason == "too_many_words"
    assert "the limit is 100" in str(caught.value)


@pytest.mark.parametrize(
    ("given", "author", "title", "authors"),
    [
        ("A History  of Harbours", "Ada Vale", "A History of Harbours", ("Ada Vale",)),
        ("Two Lives", "Ada Vale and Tom Orme; B. Moss", "Two Lives", ("Ada Vale", "Tom Orme", "B. Moss")),
        ("Document of an Unknown Title", "", "Document of an Unknown Title", ()),
        *((name, "", "", ()) for name in NO_TITLES),
    ],
)
def test_title_and_authors_are_the_files_own(given: str, author: str, title: str, authors: tuple[str, ...]) -> None:
    pdf = typeset(page("It rained all day long on the harbour."), metadata={"title": given, "author": author})

    book = parse_book(pdf, BookId("my-book"))

    assert (book.title, book.authors) == (title, authors)


def assert_placed(book: Book, pdf: bytes) -> None:
    """The pages of every sentence are in order and named, and its boxes lie inside them."""
    with pymupdf.open(stream=pdf) as document:
        sizes = [page.rect for page in document]
    assert len({sentence.id for sentence in book.sentences}) == len(book.sentences)
    for places in (sentence.address.places for sentence in book.sentences):
        assert places
        assert [place.page_index for place in places] == sorted({place.page_index for place in places})
        assert all(place.page_label and place.boxes for place in places)
        assert all(is_inside(box, sizes[place.page_index]) for place in places for box in place.boxes)


def is_inside(box: Box, sheet: pymupdf.Rect) -> bool:
    return 0 <= box.x0 < box.x1 <= sheet.width and 0 <= box.y0 < box.y1 <= sheet.height
