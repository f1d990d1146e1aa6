from dataclasses import replace

import pytest

from bookreader.book import Kind
from bookreader.pdf.flow import FlowLine
from bookreader.pdf.frame import frames_of, leaf_of
from bookreader.pdf.headings import section_kind
from bookreader.pdf.kinds import part_labels
from bookreader.pdf.model import Area, Line, PdfPage, TextStyle, line_of
from bookreader.pdf.page_artefacts import remove_artefacts, with_doubtful, without_margins, without_tables
from tests.support.marks import LEADING, LEFT, RIGHT, TOP, a_line, a_page, a_style, flowing, full_lines, some_pages
from tests.support.press import Design
from tests.support.prose import Author, plain
from tests.support.reading import of_kind, paragraphs_of, prose, read, told, with_words
from tests.support.typeset import para


def cleaned(pages: list[PdfPage]) -> list[PdfPage]:
    return remove_artefacts(pages, frames_of(pages))


def taken(pages: list[PdfPage]) -> list[list[str]]:
    return [[line.text for line in each.artefacts] for each in cleaned(pages)]


def headed(heads: list[str]) -> list[PdfPage]:
    """Pages full of text below these heads."""
    return [a_page(a_line(head, 90, 30), *full_lines(30, page=i), index=i) for i, head in enumerate(heads)]


def test_heads_also_those_that_change_and_folios_are_taken_off_every_page() -> None:
    around = [(a_line(f"The Harbour {i + 1}", 90, 30), a_line(str(i + 1), 200, 560)) for i in range(6)]
    pages = [a_page(head, *full_lines(30, page=i), folio, index=i) for i, (head, folio) in enumerate(around)]
    assert taken(pages) == [[f"The Harbour {i + 1}", str(i + 1)] for i in range(6)]

    heads = ["The Harbour", "The Harbour", "Of Letters", "Of Letters", "The River", "The Long Winter"]
    assert taken(headed(heads)) == [[head] for head in heads]
    doubted = [[line.text for line in each.lines[30:]] for each in with_doubtful(cleaned(headed(heads)))]
    assert doubted == [*[[]] * 4, ["The River"], ["The Long Winter"]]


@pytest.mark.parametrize(
    ("head", "size", "first", "is_head"),
    [
        ("CHAPTER IV", 10, "It rained.", False),
        ("CHAPTER IV", 10, "and it rained.", True),
        ("The Winter", 11, "It rained.", False),
        ("The Winter", 10, "It rained.", True),
        ("No 7", 11, "It rained.", True),
    ],
)
def test_a_name_as_high_as_running_heads_is_a_chapters_heading(head: str, size: float, first: str, is_head: bool) -> None:
    text = [a_line(first), *full_lines(29, TOP + LEADING, page=5)]
    opening = a_page(a_line(head, 90, 30, style=a_style(size)), *text, index=5)

    assert taken([*headed(["The Harbour"] * 5), opening]) == [["The Harbour"]] * 5 + [[head] * is_head]


def test_a_watermark_is_known_by_coming_back_and_neither_text_above_the_frame_nor_a_sentence_is_a_head() -> None:
    assert taken(some_pages(6, [a_line("Property of the town", 120, TOP + 66)])) == [["Property of the town"]] * 6

    raised = [a_line("It rained.", LEFT, TOP - LEADING)]
    pages = [
        a_page(a_line("The Harbour", 90, TOP - 2 * LEADING), *(raised if i == 11 else []), *full_lines(30, page=i), index=i)
        for i in range(12)
    ]
    assert taken(pages) == [["The Harbour"]] * 12

    book = read(*prose(14, 4), design=Design(head="the town council"))
    assert paragraphs_of(book) == told(14, 4)
    assert not with_words(book, "the town council the town council")


@pytest.mark.parametrize(
    ("row", "style", "is_footer"),
    [
        (5.5, a_style(8), True),
        (29.5, a_style(), True),
        (5.5, a_style(), False),
        (5.5, a_style(14), False),
        (29.5, a_style(14), False),
        (29.5, a_style(bold=True), False),
        (5.5, a_style(8, bold=True), False),
    ],
)
def test_small_or_low_words_with_a_counting_number_are_a_footer(row: float, style: TextStyle, is_footer: bool) -> None:
    footers = [replace(a_line(f"Harbours 2-{i + 1}", 120, TOP + row * LEADING, style=style), page=i) for i in range(6)]
    pages = [a_page(*full_lines(31, page=i), footer, index=i) for i, footer in enumerate(footers)]

    assert taken(pages) == [[footer.text] if is_footer else [] for footer in footers]


@pytest.mark.parametrize(("step", "is_folio"), [(1, True), (0, False)])
def test_a_small_number_above_the_longest_pages_end_is_a_folio_if_it_counts_the_pages(step: int, is_folio: bool) -> None:
    numbers = [replace(a_line(str(11 + i * step), 200, TOP + 29.5 * LEADING, style=a_style(8)), page=i) for i in range(6)]
    pages = [a_page(*full_lines(31, page=i), number, index=i) for i, number in enumerate(numbers)]

    assert taken(pages) == [[number.text] if is_folio else [] for number in numbers]


def test_words_said_twice_and_lines_that_few_pages_have_are_text() -> None:
    ends = [[a_line("It rained.", LEFT, TOP + 20 * LEADING)] if i < 2 else [] for i in range(12)]
    pages = [
        a_page(*full_lines(20, page=i), *end, *full_lines(9, TOP + 21 * LEADING, page=i), index=i) for i, end in enumerate(ends)
    ]
    assert taken(pages) == [[]] * 12

    ends = [[a_line("It rained.", LEFT, TOP + 29 * LEADING)] if i < 2 else [] for i in range(12)]
    assert taken(some_pages(12, *ends, lines=29)) == [[]] * 12

    raised = [full_lines(3, TOP - 3 * LEADING, page=i) if i < 2 else [] for i in range(12)]
    assert taken(some_pages(12, *raised)) == [[]] * 12

    pages = some_pages(6)
    assert cleaned(pages) == pages


def test_a_title_may_say_that_sources_follow_and_one_about_books_does_not() -> None:
    for title in ("References", "References III", "Long literature list", "Engraving bibliography", "Literaturverzeichnis"):
        assert section_kind(title) is Kind.REFERENCE
    for title in ("Literature and life", "The bibliographer", "English literature"):
        assert section_kind(title) is None


def bold_first(line: Line, count: int, gap: float = 0) -> FlowLine:
    """The line with its first words in bold, and so much more room after them."""
    bold = [t._replace(style=t.style._replace(font="Bold", bold=True)) for t in line.tokens[:count]]
    moved = [t._replace(x0=t.x0 + gap, x1=t.x1 + gap) for t in line.tokens[count:]]
    return flowing(line_of(0, [*bold, *moved], line.baseline))


@pytest.mark.parametrize("name", ["Theorem 2.1.", "Lemma 3 (Euler, 1750).", "Proof of Theorem 2.1.", "2.1. Of the Boats."])
def test_the_name_of_a_theorem_or_section_is_no_part_of_its_first_sentence(name: str) -> None:
    text = "Every boat is a harbour's."
    line = a_line(f"{name} {text}")

    parts = part_labels([bold_first(line, len(name.split()))])

    assert [each.text for each in parts] == [name, text]
    assert [each.text for each in part_labels([flowing(line)])] == [f"{name} {text}"]


def test_a_name_in_bold_of_a_task_or_before_a_wide_gap_stands_by_itself() -> None:
    task = "Task 1. Say why the boat lay in the harbour."
    line = a_line(task)
    name, text = part_labels([bold_first(line, 2)])
    assert (name.text, name.is_label, text.text, text.is_label) == ("Task 1.", True, task.removeprefix("Task 1. "), False)
    assert [each.text for each in part_labels([flowing(line)])] == [task]

    flow = [bold_first(a_line("Open Debate The boat lay in the harbour."), 2, gap=8)]
    assert [each.text for each in part_labels(flow * 3)] == ["Open Debate", "The boat lay in the harbour."] * 3
    assert part_labels(flow) == flow


SMALL = a_style(7)


def parted(pages: list[PdfPage]) -> list[PdfPage]:
    return [without_margins(page, frames_of(pages)[leaf_of(page)]) for page in pages]


def test_numbers_of_lines_are_dropped_and_one_that_came_with_its_line_is_cut_off() -> None:
    pages = some_pages(6, [a_line("5", LEFT - 20, TOP + 48), a_line("10", LEFT - 20, TOP + 108)])
    for page in parted(pages):
        assert [line.text for line in page.numbers] == ["5", "10"]
        assert len(page.lines) == 30

    joined = a_line("15 the boats were wet", LEFT - 15, TOP + 30 * 12)
    page = parted([*some_pages(5), *some_pages(1, [joined])])[5]
    assert [line.text for line in page.numbers] == ["15"]
    assert page.lines[-1].text == "the boats were wet"

    led = [a_line("Of Boats . . . . . .", LEFT, TOP + 360), a_line("12", RIGHT + 20, TOP + 360)]
    assert [page.numbers for page in parted(some_pages(6, led))] == [()] * 6


def test_smaller_type_beside_the_text_is_a_side_note_and_a_hanging_stop_is_none() -> None:
    pages = some_pages(6, [a_line("On boats", RIGHT + 8, TOP + 24, style=SMALL)])
    assert [[line.text for line in page.sidenotes] for page in parted(pages)] == [["On boats"]] * 6

    pages = some_pages(6, [a_line("It rained all day long on the harbour and in the whole town.", LEFT + 3, TOP + 360)])
    assert [page.sidenotes for page in parted(pages)] == [()] * 6


ABOUT = ["boats", "lamps", "the winter", "letters", "rivers", "gardens", "bread", "horses", "stars", "bells"]


def test_side_notes_are_kept_as_such_and_stay_out_of_the_sentences() -> None:
    author = Author(6)
    paragraphs = [author.paragraph() for _ in range(3 * len(ABOUT))]
    notes = {3 * i: f"Of {what}" for i, what in enumerate(ABOUT)}  # beside every third

    elements = [para(each, beside=notes.get(i, "")) for i, each in enumerate(paragraphs)]
    book = read(*elements, design=Design(right=100, width=400))

    assert [" ".join(paragraph) for paragraph in paragraphs_of(book)] == [plain(each) for each in paragraphs]
    assert of_kind(book, Kind.SIDENOTE) == list(notes.values())


@pytest.mark.parametrize(
    ("before", "text", "parts"),
    [
        ("It rained.", "Tides: They rise twice a day.", ["Tides:", "They rise twice a day."]),
        ("It rained.", "Tides: Twice a day", ["Tides: Twice a day"]),
        ("It rained on the", "Tides: They rise twice a day.", ["Tides: They rise twice a day."]),
    ],
)
def test_a_word_in_italics_before_a_colon_is_no_part_of_its_sentence(before: str, text: str, parts: list[str]) -> None:
    first, *rest = a_line(text).tokens
    line = line_of(0, [first._replace(style=a_style(italic=True)), *rest], TOP)

    _, *found = part_labels([flowing(a_line(before)), flowing(line)])

    assert [each.text for each in found] == parts


def grid(xs: list[float], ys: list[float]) -> tuple[Area, ...]:
    """Rules that part a table's cells."""
    return (*(Area(x, ys[0], x + 1, ys[-1]) for x in xs), *(Area(xs[0], y, xs[-1], y + 1) for y in ys))


def test_a_text_in_a_cell_of_a_ruled_table_stands_by_itself_and_what_is_none_in_a_row() -> None:
    lines = [
        a_line("Boats Two boats lay in the harbour and", 52, 70),
        a_line("never stood still. They left.", 82, 82),
        *(a_line(text, x, 94) for text, x in (("Lamps", 52), ("Old", 82), ("12", 290))),
        a_line("It rained.", 52, 120),
    ]
    rules = grid([50, 80, 280, 350], [60, 84, 98])

    parted = without_tables(replace(a_page(*lines), rules=rules))

    texts = [(kind, [line.text for line in own]) for kind, own in parted.extras]
    assert texts == [
        (Kind.TABLE, ["Boats"]),
        (Kind.SENTENCE, ["Two boats lay in the harbour and", "never stood still. They left."]),
        (Kind.TABLE, ["Lamps Old 12"]),
    ]
    assert [line.text for line in parted.lines] == ["It rained."]


def test_text_of_which_only_some_lines_stand_beside_a_rule_is_in_no_cell() -> None:
    page = replace(a_page(*full_lines(20)), rules=grid([40, 360], [40, 330]) + grid([170, 190], [TOP + 18 * LEADING, 330]))

    assert without_tables(page) == page
