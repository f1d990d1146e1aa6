from dataclasses import replace

import pytest

from bookreader.pdf.flow import FlowLine
from bookreader.pdf.headings import PdfHeading, chapter_number, find_headings, part_number
from tests.support.marks import LEFT, TOP, a_line, a_style, flowing, full_line, width_of
from tests.support.press import Design
from tests.support.reading import prose, read
from tests.support.typeset import chapter, section

BODY = [flowing(full_line(TOP + 12 * i)) for i in range(12)]


def found(
    text: str, *, x0: float = LEFT, size: float = 10, above: float | None = 2.0, below: float = 2.0, **look: object
) -> list[PdfHeading]:
    """The headings of a text with one line between others."""
    line = flowing(a_line(text, x0, 300, style=a_style(size, **look)), above, below)
    return find_headings([*BODY, line, replace(BODY[0], above=below), *BODY[1:]])


@pytest.mark.parametrize(
    ("text", "look"),
    [
        ("Of the Harbour", {"size": 14}),
        ("Of the Harbour", {"bold": True}),
        ("Of the Harbour", {"color": 0x993300}),
        ("Of the Harbour", {"italic": True}),
        ("OF THE HARBOUR", {}),
        ("CHAPTER IX", {}),
        ("IX", {"x0": 195}),
        ("7", {"x0": 197.5}),
        ("Of the Harbour", {"x0": 165}),
    ],
)
def test_what_looks_unlike_the_text_and_stands_alone_is_a_heading(text: str, look: dict) -> None:
    [heading] = found(text, **look)

    assert heading.text == text
    assert (heading.start, heading.end) == (12, 13)


@pytest.mark.parametrize(
    ("text", "look"),
    [
        ("It rained.", {}),
        ("* * *", {"size": 14}),
        ("he bent the bow, and sang of it,", {"italic": True, "x0": 80}),
        ("The boats lay in the harbour all the winter, and nobody came,", {"size": 11}),
        ("a word in bold", {"bold": True, "above": 1.0, "below": 1.0}),
        ("4. Of the Harbour.—", {"bold": True}),
        ("in the harbour belongs to all.", {"bold": True}),
        ("• Report on the harbour due", {"bold": True}),
        ("It is due on the first day. Nobody is paid twice!", {"bold": True}),
        ("Boats that lie in the harbour may stay there.", {"bold": True}),
        ("M(b, a) = {parts of the sum", {"x0": 132.5}),
        ("−⊗ X : Set", {"x0": 175}),
    ],
)
def test_what_only_looks_a_little_like_one_is_none(text: str, look: dict) -> None:
    assert found(text, **look) == []


@pytest.mark.parametrize(("name", "is_heading"), [("4. Of boats in the harbour and of all who", False), ("4. Boats", True)])
def test_a_name_in_bold_that_ends_in_its_paragraphs_first_line_is_no_heading(name: str, is_heading: bool) -> None:
    bold = flowing(a_line(name, LEFT, 300, style=a_style(12, bold=True)), 2.0, 1.0)
    first = a_line("own them. It rained in the harbour", LEFT, 312)
    parted = [token._replace(style=a_style(12 if i < 2 else 10, bold=i < 2)) for i, token in enumerate(first.tokens)]
    lines = [bold, flowing(replace(first, tokens=tuple(parted)), 1.0, 1.0), replace(BODY[0], above=1.0)]

    assert bool(find_headings([*BODY, *lines, *BODY[1:]])) is is_heading


@pytest.mark.parametrize("above", [0.0, 1.1, 1.3])
def test_a_heading_may_closely_follow_an_item_in_another_look(above: float) -> None:
    item = flowing(a_line("• the harbour holds boats", LEFT, 300))
    heading = flowing(a_line("The Long Winter", LEFT, 316, style=a_style(14, bold=True)), above, 2.0)

    assert [each.text for each in find_headings([*BODY, item, heading, *BODY])] == ["The Long Winter"]


def centred(text: str, above: float | None = 2.0, below: float = 2.0, **look: object) -> FlowLine:
    size = look.pop("size", 10)
    return flowing(a_line(text, 200 - width_of(text, size) / 2, 300, style=a_style(size, **look)), above, below)


def test_a_scene_has_a_heading_of_its_own_and_a_parts_number_may_be_the_last_line_of_a_page() -> None:
    lines = [centred("ACT II", 3.0, 2.0, size=13), centred("SCENE I. The quay.", 2.0, 2.0, bold=True)]
    act, scene = find_headings([*BODY, *lines, replace(BODY[0], above=2.0), *BODY[1:]])
    assert (act.number, act.title) == ("ACT II", None)
    assert (scene.number, scene.title) == ("SCENE I", "The quay")

    number, title = centred("PART IV", 3.0, 2.0, size=12), centred("Of the Quay", 2.0, 3.0, size=12)
    after = [replace(each, line=replace(each.line, page=1)) for each in [title, replace(BODY[0], above=2.0), *BODY[1:]]]
    [heading] = find_headings([*BODY, number, *after])
    assert (heading.number, heading.title) == ("PART IV", "Of the Quay")
    column = [replace(title, above=None), replace(BODY[0], above=2.0), *BODY[1:]]
    assert [each.text for each in find_headings([*BODY, number, *column])] == ["PART IV", "Of the Quay"]


def test_a_title_in_the_middle_does_not_go_on_in_a_name_at_the_edge_and_bold_questions_in_a_row_are_none() -> None:
    edge = flowing(a_line("The Quay", LEFT, 320, style=a_style(14, bold=True)), 1.1, 2.0)
    lines = [centred("Of Boats", 3.0, 1.1, size=14, bold=True), edge, replace(BODY[0], above=2.0), *BODY[1:]]
    assert [each.text for each in find_headings([*BODY, *lines])] == ["Of Boats", "The Quay"]

    asked = [flowing(a_line(f"{n}. Who came?", style=a_style(bold=True)), 2.0, 2.0) for n in (1, 2)]
    assert find_headings([*BODY, *asked, replace(BODY[0], above=2.0), *BODY[1:]]) == []
    assert len(find_headings([*BODY, asked[0], replace(BODY[0], above=2.0), *BODY[1:]])) == 1


@pytest.mark.parametrize(
    ("lines", "number", "title"),
    [
        (("II", "Of the Liberty of Thought"), "II", "Of the Liberty of Thought"),
        (("CHAPTER II.", "OF LIBERTY"), "CHAPTER II", "OF LIBERTY"),
        (("CHAPTER II. — Of Liberty",), "CHAPTER II", "Of Liberty"),
        (("CHAPTER THE SECOND",), "CHAPTER THE SECOND", None),
        (("Kapitel 2: Der Hafen",), "Kapitel 2", "Der Hafen"),
        (("Chapter 2: The Harbour",), "Chapter 2", "The Harbour"),
        (("Chapter Twenty-one",), "Chapter Twenty-one", None),
        (("Schedule 2: The Quay",), "Schedule 2", "The Quay"),
        (("2.1 The Quay",), "2.1", "The Quay"),
        (("Letter the Last",), "Letter the Last", None),
        (("I",), "I", None),
        (("A.1 The Quay",), "A.1", "The Quay"),
        *(((title,), None, title) for title in ("Mix of boats", "I am the Boat", "e.g. boats")),
        (("3 • The Quay",), "3", "The Quay"),
        (("The Harbour", "and the Town"), None, "The Harbour and the Town"),
        (("Markt und Wettbe-", "werb"), None, "Markt und Wettbewerb"),
        (("On Self-", "reliance"), None, "On Self-reliance"),
    ],
)
def test_number_and_title_are_parted(lines: tuple[str, ...], number: str | None, title: str | None) -> None:
    assert part_number(lines) == (number, title)


def test_a_heading_may_go_over_two_lines_or_stand_at_the_foot_of_a_column_and_an_appendix_keeps_its_word() -> None:
    title = "Of the Long Winter in Which the Harbour Froze and of What Became of All the Boats"
    book = read(chapter("I", title), *prose(8), chapter("II", "The River"), *prose(8, 1))
    assert [each.title for each in book.chapters] == [title, "The River"]

    book = read(*prose(6), section("The Quay"), *prose(12, 1), design=Design(width=470, columns=2, folio="foot"))
    assert {each.title for each in book.chapters} == {"The Quay"}

    named = map(chapter_number, ["APPENDIX A", "Letter 2", "CHAPTER XVI", "CHAPTER THE SECOND", "Prologue"])
    assert list(named) == ["Appendix A", "Letter 2", "XVI", "THE SECOND", "Prologue"]


def test_a_title_has_its_superscripts_but_no_calls_of_notes() -> None:
    titles = {"The 19^th Century": "The 19th Century", "The x^2 Test": "The x² Test"}
    titles |= dict.fromkeys(("Introduction^1", "Introduction^a", "Introduction*"), "Introduction")
    assert {printed: found(printed, size=14)[0].title for printed in titles} == titles


def test_a_line_beside_what_was_taken_out_may_be_the_first_or_the_last() -> None:
    """A caption or a table leaves its distance to the line before it and after it."""
    line = flowing(a_line("of the harbour", 160, 300), 1.0, 1.0)
    assert find_headings([*BODY, replace(line, above=3.0)]) == find_headings([replace(line, below=3.0), *BODY]) == []
