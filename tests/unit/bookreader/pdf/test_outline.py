import pymupdf
import pytest

from bookreader.book import Kind
from bookreader.pdf.chapters import OutlineEntry, contents_of, letters, outline_of, without_root
from bookreader.pdf.headings import find_headings
from tests.support.marks import LEFT, TOP, a_line, a_style, flowing, full_line
from tests.support.press import Design
from tests.support.reading import prose, read, with_words
from tests.support.typeset import chapter, contents, page, section, title_page, typeset


def test_the_outline_is_read_with_its_pages() -> None:
    pdf = typeset(chapter("I", "The Harbour"), section("The Quay"), chapter("II", "The River"), outline=True)

    with pymupdf.open(stream=pdf) as document:
        assert outline_of(document) == [
            OutlineEntry(1, "I The Harbour", 0),
            OutlineEntry(2, "The Quay", 0),
            OutlineEntry(1, "II The River", 1),
        ]


def test_entries_that_lead_nowhere_are_left_out() -> None:
    document = pymupdf.open(stream=typeset(page("It rained.")))
    document.set_toc([[1, "The Harbour", 1], [1, "An address", -1]])

    assert outline_of(document) == [OutlineEntry(1, "The Harbour", 0)]


def test_a_root_that_is_only_the_books_title_is_taken_off() -> None:
    entries = [OutlineEntry(1, "A Book", 0), OutlineEntry(2, "I", 1), OutlineEntry(3, "The Quay", 2), OutlineEntry(2, "II", 4)]

    assert without_root(entries) == [OutlineEntry(1, "I", 1), OutlineEntry(2, "The Quay", 2), OutlineEntry(1, "II", 4)]


def test_two_spellings_of_a_title_have_the_same_letters() -> None:
    assert letters("II. The Émigré’s  Boat") == letters("ii the emigre's boat")


def announced(*rows: str | tuple[str, float]) -> list[tuple[int, str]]:
    """Level and text of the entries of a contents page with these lines; (text, indent) sets one in."""
    head = flowing(a_line("Contents", 170, TOP, style=a_style(16)), None, 2.5)
    texts = [row if isinstance(row, tuple) else (row, 0.0) for row in rows]
    lines = [
        flowing(a_line(text, LEFT + indent, TOP + 30 + 12 * i), 2.5 if i == 0 else 1.0)
        for i, (text, indent) in enumerate(texts)
    ]
    text = [flowing(full_line(TOP + 12 * i, page=1), None if i == 0 else 1.0) for i in range(20)]
    flow = [head, *lines, *text]
    found = contents_of(flow, find_headings(flow), pages=9)
    assert found is not None
    return [(entry.level, entry.text) for entry in found.entries]


def test_leaders_and_page_numbers_are_no_part_of_an_entry() -> None:
    assert announced("I The Harbour ...... 3", "II The River . . . 17", "Index xiv") == [
        (1, "I The Harbour"),
        (1, "II The River"),
        (1, "Index"),
    ]


def test_indented_entries_are_deeper() -> None:
    entries = announced("The Harbour . . . 3", ("The Quay . . . 4", 12), ("The Lamps . . . 9", 12), "The River . . . 17")

    assert [level for level, _ in entries] == [1, 2, 2, 1]


def test_an_entry_over_two_lines_is_one() -> None:
    entries = announced(
        "I The Harbour ... 3", "II Of the Long Winter in Which", ("the Harbour Froze ... 17", 20), "III The River ... 30"
    )

    assert [text for _, text in entries] == [
        "I The Harbour",
        "II Of the Long Winter in Which the Harbour Froze",
        "III The River",
    ]


def test_a_flow_without_a_contents_heading_has_none() -> None:
    flow = [flowing(full_line(TOP + 12 * i)) for i in range(20)]

    assert contents_of(flow, find_headings(flow), pages=1) is None


@pytest.mark.parametrize(("title", "leaders"), [("Contents", True), ("CONTENTS", False), ("Table of Contents", True)])
def test_the_contents_page_is_no_text(title: str, leaders: bool) -> None:
    names = {"I": "The Harbour", "II": "The River", "III": "The Lamps"}
    chapters = [each for i, (n, name) in enumerate(names.items()) for each in [chapter(n, name), *prose(10, i)]]

    book = read(title_page("Of Boats"), contents(title, leaders), *chapters, design=Design(folio="foot"))

    assert {each.kind for each in [*with_words(book, "The Harbour"), *with_words(book, ". . .")]} == {Kind.CONTENTS}
    assert [each.title for each in book.chapters] == list(names.values())
