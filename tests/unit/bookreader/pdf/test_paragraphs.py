from dataclasses import replace

import pytest

from bookreader.pdf.model import line_of
from bookreader.pdf.paragraphs import habits_of, paragraphs_of
from tests.support.marks import LEFT, a_flow, a_line, a_style
from tests.support.press import Design
from tests.support.prose import Author, plain
from tests.support.reading import paragraphs_of as paragraphs_in
from tests.support.reading import prose, read
from tests.support.typeset import para, quote

FULL = "the boats lay in the old harbour of the town all winter and no"  # as wide as the column
LAST = "one came to see them."
INDENTED = [("The boats lay in the old harbour of the town all winter an", 15.0), FULL, LAST] * 10
SPACED = [FULL, FULL, LAST, ""] * 10
HANGING = [FULL, (FULL[:-8], 15.0), (LAST, 15.0)] * 10


def cut(*rows: tuple[str, float] | str) -> list[list[str]]:
    flow = a_flow(*rows)
    return [[line.text for line in paragraph] for paragraph in paragraphs_of(flow, habits_of(flow))]


@pytest.mark.parametrize("rows", [INDENTED, SPACED, HANGING], ids=["indents", "spaces", "hangs"])
def test_a_paragraph_begins_where_the_book_shows_it(rows: list) -> None:
    assert [len(paragraph) for paragraph in cut(*rows)] == [3] * 10


@pytest.mark.parametrize(("last", "count"), [("“cold” and slow.", 1), ("“Cold” and slow.", 2)])
def test_a_sentence_goes_on_over_some_space_with_a_quotation(last: str, count: int) -> None:
    flow = [*a_flow(*SPACED), *(replace(each, above=1.3) for each in a_flow("The boats were", last))]

    assert len([*paragraphs_of(flow, habits_of(flow))]) == 10 + count


def test_paragraphs_of_one_line_are_told_apart_and_ornaments_part_paragraphs() -> None:
    dialogue = [("“Who is there?”", 15.0), ("“Nobody.”", 15.0), ("“Then go away.”", 15.0)]

    assert cut(*INDENTED, *dialogue)[10:] == [["“Who is there?”"], ["“Nobody.”"], ["“Then go away.”"]]
    full = "“The boats lay in the old harbour of the town all winter.”"
    assert cut(*INDENTED, (full, 15.0), (full, 15.0))[10:] == [[full], [full]]
    assert ["* * *"] in cut(*SPACED[:-1], "* * *", *SPACED)


def test_an_address_in_other_type_parts_no_paragraph() -> None:
    flow = a_flow(*INDENTED, FULL, LAST)
    first, *rest = flow[-1].line.tokens
    address = [token._replace(style=a_style(9)._replace(font="Courier")) for token in rest]
    flow[-1] = replace(flow[-1], line=line_of(0, [first, *address], flow[-1].line.baseline))
    assert list(paragraphs_of(flow, habits_of(flow)))[-1][-2:] == flow[-2:]


@pytest.mark.parametrize(
    ("design", "sentences"), [(Design(), 30), (Design(width=470, columns=2, bottom=280), 12)], ids=["a page", "a column"]
)
def test_a_paragraph_goes_on_over_a_page_or_column_and_its_sentences_are_neighbours(design: Design, sentences: int) -> None:
    text = Author(4).paragraph(sentences)

    book = read(*prose(5, 1), para(text), *prose(5, 2), design=design)

    assert plain(text) in [" ".join(paragraph) for paragraph in paragraphs_in(book)]
    crossing = [each for each in book.sentences if len(each.address.places) > 1 and each.text in plain(text)]
    assert all(each.prev_id and each.next_id for each in crossing)


@pytest.mark.parametrize(
    ("size", "sentences"), [(9, 3), (10, 3), (9, 25)], ids=["smaller", "in the text's size", "over a page"]
)
def test_a_block_quotation_is_a_paragraph_of_its_own(size: float, sentences: int) -> None:
    quoted = Author(5).paragraph(sentences)

    book = read(*prose(4, 1), quote(quoted, size=size), para("So they say.", flush=True), *prose(6, 2))

    assert plain(quoted) in [" ".join(paragraph) for paragraph in paragraphs_in(book)]
    assert ["So they say."] in paragraphs_in(book)


def over_pages(first: list, second: list) -> list[list[str]]:
    """Two pages in a book of indented paragraphs."""
    flow = [*a_flow(*INDENTED, *first), *a_flow(*second, page=1)]
    return [[line.text for line in paragraph] for paragraph in paragraphs_of(flow, habits_of(flow))]


NEXT = ("It was a long and cold winter and the snow lay on the quay", 15.0)


@pytest.mark.parametrize("stop", list(",;:."))
def test_a_last_line_alone_at_the_top_of_a_page_stays_with_its_paragraph(stop: str) -> None:
    *_, crossing, after = over_pages([INDENTED[0], f"{FULL[:-2]}{stop}"], [LAST, NEXT, LAST])

    assert (len(crossing), len(after)) == (3, 2)


def test_a_first_line_at_the_top_of_a_page_is_known_by_its_indent() -> None:
    *_, last, first = over_pages([INDENTED[0], f"{FULL[:-1]}."], [NEXT, LAST])

    assert (len(last), len(first)) == (2, 2)


ENDINGS = {
    "a line that ends early, after a letter": [["A matrix of boats H."], ["Pairs of lamps are lit."]],
    "with dots on both sides": [["The boats are late . . ."], [". . . even in the summer."]],
    "a little early": [["The boats lay in the old harbour of the town all win.", f"Nobody saw {FULL[4:-7]}", LAST]],
    "the first line of an item": [
        ["(a) The boats lay in the old harbour of the", f"Town, where {FULL}", f"{FULL}; or"],
        ["(b) the lamps."],
    ],
}


@pytest.mark.parametrize("paragraphs", ENDINGS.values(), ids=ENDINGS)
def test_a_paragraph_ends_with_a_sentence_whose_line_ends_early(paragraphs: list[list[str]]) -> None:
    lines = [line for paragraph in paragraphs for line in paragraph]

    assert cut(*SPACED, *lines, "", *SPACED)[10 : 10 + len(paragraphs)] == paragraphs


@pytest.mark.parametrize("mark", ["•", "–", "1.", "(a)"])
def test_the_lines_of_a_lists_item_go_on_where_its_words_begin(mark: str) -> None:
    start = 30 + a_line(f"{mark} x").tokens[1].x0 - LEFT
    item = [(f"{mark} one with a lamp, which was", 30.0), ("seen from the other side of the", start), ("harbour.", start)]

    assert [text for text, _ in item] in cut(*INDENTED, *item, *INDENTED)
    short = [*item[:1], ("seen from", start)]  # without a stop
    for following in (INDENTED[0], ("Two with a lamp, which was", start)):
        assert [text for text, _ in short] in cut(*INDENTED, *short, following, *INDENTED)
    assert [f"{mark} one"] in cut(*INDENTED, (f"{mark} one", 30.0), ("a. two", start), *INDENTED)


@pytest.mark.parametrize(
    ("first", "second", "parted"),
    [
        ("Office: Room 210", "Office hours: Mondays", True),
        ("The boats lay in the harbour and", "Anna went to the old town", False),
        ("The boats: old", "Anna went to the old town", False),
    ],
)
def test_a_line_that_states_stands_above_the_next_one(first: str, second: str, parted: bool) -> None:
    assert len(cut(first, second)) == 1 + parted


@pytest.mark.parametrize("first", ["(b) Count the boats.", "12. Count the boats.", "• Count the boats."])
def test_an_item_at_the_top_of_a_page_begins_a_paragraph(first: str) -> None:
    item = "(a) The boats lay in the old harbour of the town all winter"
    flow = [*a_flow(*SPACED, item, "and no one came to see them in the cold and long dark of nights."), *a_flow(first, page=1)]

    assert [line.text for line in list(paragraphs_of(flow, habits_of(flow)))[-1]] == [first]
