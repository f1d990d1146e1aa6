from dataclasses import replace

import pymupdf
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bookreader.book import Book, BookId
from bookreader.numerals import from_roman, to_roman
from bookreader.pdf.labels import Labels, label_pages
from bookreader.pdf.model import PdfPage
from bookreader.pdf.parse import parse_book
from tests.support.marks import a_line, a_page, full_lines
from tests.support.press import Design, numbered
from tests.support.prose import Author, plain
from tests.support.reading import prose, read
from tests.support.typeset import chapter, para, section, typeset

OWN = ("B-1", "B-2", "B-3", "B-4")


def pages(*artefacts: str, labels: tuple[str, ...] = ()) -> list[PdfPage]:
    """One page for each text that stands around it."""
    made = [a_page(*full_lines(3), index=i, label=labels[i] if labels else "") for i in range(len(artefacts))]
    return [replace(page, artefacts=(a_line(text),) if text else ()) for page, text in zip(made, artefacts, strict=True)]


@given(st.integers(1, 3999))
def test_roman_numbers_are_read_as_they_are_written(value: int) -> None:
    assert from_roman(to_roman(value)) == value


@pytest.mark.parametrize("word", ["iix", "vx", "mild", "iiii", ""])
def test_what_is_not_written_as_a_roman_number_is_none(word: str) -> None:
    assert from_roman(word) == 0


@pytest.mark.parametrize(
    ("printed", "given", "labels"),
    [
        (("7", "8"), ("xiv", "1"), Labels(("xiv", "1"), "labels")),
        (("7", "8", "9"), ("1", "2", "3"), Labels(("7", "8", "9"), "folios")),
        (("", ""), ("xiv", ""), Labels(("xiv", "2"), "labels")),
        (("", ""), ("<FEFF0041002D>1", "<FEFF0037>"), Labels(("A-1", "7"), "labels")),
        (("", ""), ("1", "2"), Labels(("1", "2"), "labels")),
        (("", "The Harbour", ""), (), Labels(("1", "2", "3"), "index")),
        (("Bergen, 27–29 May", "Boats", "Bergen, 27–29 May"), (), Labels(("1", "2", "3"), "index")),
        (("\ufffd\ufffd7", "\ufffd\ufffd8", "\ufffd\ufffd9"), (), Labels(("1", "2", "3"), "index")),
        (OWN, OWN, Labels(OWN, "labels", printed=4)),
        (
            ("7", "8", "", "10", "11"),
            ("i", "ii", "iii", "iv", "v"),
            Labels(("7", "8", "9", "10", "11"), "folios", printed=4, differing=4),
        ),
    ],
)
def test_labels_win_unless_they_count_or_pages_differ(printed: tuple[str, ...], given: tuple[str, ...], labels: Labels) -> None:
    assert label_pages(pages(*printed, labels=given)) == labels


@pytest.mark.parametrize(
    ("printed", "labels"),
    [
        (("17", "18", "19", "20"), ("17", "18", "19", "20")),
        (("17", "", "19", "20"), ("17", "18", "19", "20")),
        (("", "6", "7", ""), ("5", "6", "7", "8")),
        (("i", "ii", "iii", "1", "2"), ("i", "ii", "iii", "1", "2")),
        (("", "ii", "iii", "", "2", "3"), ("i", "ii", "iii", "1", "2", "3")),
        (("THE RIVER 3", "4 OF BOATS", "THE RIVER 5"), ("3", "4", "5")),
        (("1850 12", "13 1850", "1850 14"), ("12", "13", "14")),
        (("Page 2 of 9", "Page 3 of 9", "Page 4 of 9"), ("2", "3", "4")),
        (("4-1", "4-2", "4-3", "5-1", "A-1", "A-2"), ("4-1", "4-2", "4-3", "5-1", "A-1", "A-2")),
        (("OW-8.1", "OW-8.2", "OW-9.1", "OW-9.2", "OW-9.3"), ("OW-8.1", "OW-8.2", "OW-9.1", "OW-9.2", "OW-9.3")),
        (("- 41 -", "- 42 -", "- 43 -"), ("41", "42", "43")),
        (("47698", "47699", "47700"), ("47698", "47699", "47700")),
        (("98", "99", "100", "1", "2", "3", "4"), ("98", "99", "100", "1", "2", "3", "4")),
        (("Sheet 3 of Boats 17", "Sheet 4 of Boats 18", "Sheet 5 of Boats 19"), ("17", "18", "19")),
        (tuple(f"Harbours.indd {i} 11/2/05 2:01 PM" for i in (5, 6, 7)), ("5", "6", "7")),
    ],
)
def test_folios_are_read_as_a_sequence(printed: tuple[str, ...], labels: tuple[str, ...]) -> None:
    assert label_pages(pages(*printed)) == Labels(labels, "folios")


def scanned(*artefacts: str) -> list[PdfPage]:
    return [replace(each, recognized=True) for each in pages(*artefacts)]


def test_roman_numbers_and_figures_read_as_letters_count_on_in_a_scan() -> None:
    front = ("i", "ii", "iii", "", "v")
    assert label_pages(scanned(*front, "", "", "")).of_page == ("i", "ii", "iii", "iv", "v", "", "", "")
    assert label_pages(pages(*front, "", "")).of_page == ("i", "ii", "iii", "iv", "v", "vi", "vii")

    assert label_pages(scanned("l6", "1O7", "l8", "l9", "2O")).of_page == ("16", "17", "18", "19", "20")


def with_printers_lines(*folios: str) -> list[PdfPage]:
    """Pages on sheets with a line that says which page of which file was printed when."""
    printed = [a_line(f"Harbours.indd {i + 1} 3/14/09 10:0{i} AM", baseline=700) for i in range(len(folios))]
    return [replace(each, artefacts=(*each.artefacts, line)) for each, line in zip(pages(*folios), printed, strict=True)]


def test_neither_a_printers_line_nor_the_sheets_number_above_it_numbers_the_pages() -> None:
    assert label_pages(with_printers_lines("", "ii", "", "1", "2", "")).of_page == ("i", "ii", "iii", "1", "2", "3")

    sheets = [
        replace(each, artefacts=(*each.artefacts, a_line(f"No {i + 7}", baseline=40), a_line(f"3 Jan 10:0{i}", baseline=26)))
        for i, each in enumerate(pages("iv", "v", "1", "2", "3"))
    ]
    assert label_pages(sheets).of_page == ("iv", "v", "1", "2", "3")


def labels_in(book: Book) -> dict[int, str]:
    """Page index → label, as the sentences say."""
    return {place.page_index: place.page_label for each in book.sentences for place in each.address.places}


@pytest.mark.parametrize("folio", ["head", "foot"])
def test_roman_front_matter_and_a_count_that_starts_again(folio: str) -> None:
    front = [chapter(None, "Preface"), *prose(11, 1)]
    book = read(*front, chapter("I", "The Harbour"), *prose(20, 2), design=Design(folio=folio, folios=numbered(front=3)))

    found = labels_in(book)
    assert found == {i: ("i", "ii", "iii")[i] if i < 3 else str(i - 2) for i in found}
    assert book.report.label_source == "folios"


def test_labels_that_differ_on_few_pages_stay_and_the_pages_are_counted() -> None:
    printed, given = ([1, 2, 3, 17, 18, 19, *range(7, 20)], [*range(1, 19), 30])

    labels = label_pages(pages(*map(str, printed), labels=tuple(map(str, given))))

    assert labels.source == "labels"
    assert (labels.printed, labels.differing) == (19, 4)


def test_a_book_whose_labels_are_not_the_printed_numbers_is_cited_by_the_printed_ones() -> None:
    design = Design(folio="foot", folios=numbered(first=113))
    with pymupdf.open(stream=typeset(*prose(40), design=design)) as document:
        document.set_page_labels([{"startpage": 0, "prefix": "", "style": "r", "firstpagenum": 1}])
        pdf = document.tobytes()

    book = parse_book(pdf, BookId("book"))

    assert labels_in(book) == {i: str(i + 113) for i in range(book.report.pages)}
    assert book.report.label_source == "folios"
    assert "printed_numbers_win" in [warning.id for warning in book.report.warnings]


def numbered_paragraphs(written: str, margin: bool, count: int = 30) -> tuple[list[str], Book]:
    """A book whose paragraphs are numbered through, in the margin or before their first word; and their texts."""
    author = Author(4)
    texts = [author.paragraph(3) for _ in range(count)]
    number = written.format
    set_as = (lambda i, text: para(text, left=number(i))) if margin else lambda i, text: para(f"{number(i)} {text}", flush=True)
    return [plain(text) for text in texts], read(*map(set_as, range(1, count + 1), texts), design=Design(left=70, space=5))


def test_numbers_of_headings_and_of_a_list_are_not_those_of_paragraphs() -> None:
    parts = [[section(f"{i}. The Quay of Boat {chr(64 + i)}"), *prose(5, i)] for i in range(1, 11)]
    book = read(*(element for part in parts for element in part))
    assert {each.address.paragraph_number for each in book.sentences} == {None}
    assert [each.number for each in book.chapters] == [str(i) for i in range(1, 11)]

    author = Author(4)
    items = [para(f"{i}. {author.paragraph(1)}", flush=True) for i in range(1, 10)]
    book = read(*prose(20, 1), *items, *prose(20, 2))
    assert {each.address.paragraph_number for each in book.sentences} == {None}


def by_number(book: Book) -> dict[str | None, str]:
    """The paragraphs by their numbers."""
    found: dict[str | None, list[str]] = {}
    for each in book.sentences:
        found.setdefault(each.address.paragraph_number, []).append(each.text)
    return {number: " ".join(texts) for number, texts in found.items()}


@pytest.mark.parametrize(
    ("written", "margin", "read_as"),
    [
        ("{}", True, "{}"),
        ("[{}]", True, "{}"),
        ("1.{}", True, "1.{}"),
        ("{}", False, "{}"),
        ("{}.", False, "{}"),
        ("({})", False, "{}"),
        ("§ {}", False, "§ {}"),
    ],
)
def test_a_paragraphs_number_is_in_its_address_and_its_text_is_whole(written: str, margin: bool, read_as: str) -> None:
    texts, book = numbered_paragraphs(written, margin)

    assert by_number(book) == {read_as.format(i): text for i, text in enumerate(texts, start=1)}
