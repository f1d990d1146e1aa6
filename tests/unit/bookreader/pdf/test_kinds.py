from dataclasses import replace
from itertools import pairwise

import pytest

from bookreader.book import Chapter, Kind
from bookreader.pdf.addresses import joints_broken
from bookreader.pdf.kinds import FRONT, TextBlock, part_captions, rejoined, renumbered
from bookreader.pdf.model import Area
from bookreader.pdf.page_artefacts import pictures_of, with_dots
from chapterverse.library.reading import in_stretches
from tests.support.marks import LEFT, TOP, a_flow, a_line, a_style, flowing, full_line
from tests.support.press import Design, Press
from tests.support.prose import Author, plain
from tests.support.reading import of_kind, paragraphs_of, prose, read, told, with_words
from tests.support.typeset import chapter, display, drawing, figure, page, para, ruled, section, title_page

LISTING = ("def area(width, height):", "    total = width * height", "    return total", ">>> area(3, 4)", "12")


def test_a_listing_is_code_line_by_line_and_neither_typewritten_pages_nor_articles_are() -> None:
    book = read(*prose(6, 1), display(*LISTING, font="cour"), *prose(6, 2))
    [listing] = [each for stretch in in_stretches(book.sentences) for each in stretch if each.kind is Kind.CODE]
    assert of_kind(book, Kind.CODE) == listing.text.splitlines() == [line.strip() for line in LISTING]
    assert paragraphs_of(book) == [*told(6, 1), *told(6, 2)]

    book = read(*prose(12, 1), design=Design(font="cour", justified=False))
    assert of_kind(book, Kind.CODE) == []
    assert len(of_kind(book)) > 20

    articles = [
        para(f"({n}) the owner of the {thing} pays the due of the year;", flush=True)
        for n, thing in enumerate(["house", "boat", "mill", "garden"])
    ]
    assert of_kind(read(*prose(6, 1), *articles, *prose(6, 2)), Kind.CODE) == []


def test_a_formula_set_apart_rows_of_a_table_and_items_stand_by_themselves() -> None:
    book = read(*prose(6, 1), display("a + b = c + d", inset=100), *prose(6, 2))
    assert of_kind(book, Kind.FORMULA) == ["a + b = c + d"]
    assert with_words(book, "a + b")[0].address.chapter is not None

    rows = ("Boats\t12\told", "Lamps\t40\tnew", "Letters\t9\tlost")
    book = read(*prose(6, 1), display(*rows, inset=10, size=10), *prose(6, 2))
    assert of_kind(book, Kind.TABLE) == [row.replace("\t", " ") for row in rows]
    assert paragraphs_of(book) == [*told(6, 1), *told(6, 2)]

    items = [f"We count the {thing} of the harbour." for thing in ("boats", "lamps", "letters")]
    close, far = [para(f"• {item}", flush=True) for item in items], [display(*(f"•\t{item}" for item in items), inset=10)]
    for printed in (close, far):
        assert [p for p in paragraphs_of(read(*prose(6, 1), *printed, *prose(6, 2))) if p[0] in items] == [[p] for p in items]


def test_what_a_formula_parts_or_holds_cannot_be_quoted() -> None:
    book = read(
        *prose(6, 1),
        para("The length of the rope that the boat·men need for the quay is"),
        display("n = 2k + 1", inset=100),
        para("where the letter stands for the boats in the har·bour. The rest is sold.", flush=True),
        *prose(6, 2),
    )

    [before], [after] = with_words(book, "The length of the rope"), with_words(book, "where the letter stands")
    assert before.text.endswith("the quay is")
    assert not before.quotable
    assert not after.quotable
    assert with_words(book, "The rest is sold.")[0].quotable

    lines = [
        para("It is well known of the boats that"),
        display("(1) d = the number of boats", size=10),
        para("is even.", flush=True),
    ]
    book = read(*prose(6, 1), *lines, *prose(6, 2))
    assert not [each.text for each in with_words(book, "number of boats") if each.quotable]

    first, second = para("The equa·tion is"), para("where x is the price of bread in the town.", flush=True)
    book = read(*prose(6, 1), first, display("x = a + b + c"), figure("Figure 1. The town."), second, *prose(6, 2))
    assert not [each for each in with_words(book, "The equation is") if each.quotable and "where" in each.text]


@pytest.mark.parametrize(
    ("title", "year"), [("References", ""), ("Works Cited", ""), ("Literaturverzeichnis", ""), ("Readings", "(1990). ")]
)
def test_a_list_of_references_is_no_prose(title: str, year: str) -> None:
    names = enumerate(["Adams", "Brown", "Clark", "Doyle"], start=1)
    entries = [para(f"[{n}] {name}, J. {year}The Boats of the Quay. Harbour Press, 1991.", flush=True) for n, name in names]

    book = read(chapter("1", "The Harbour"), *prose(10, 1), section(title), *entries)

    assert len(of_kind(book, Kind.REFERENCE)) == 4
    assert paragraphs_of(book) == told(10, 1)


def test_an_index_and_notes_at_the_end_are_no_prose_and_a_story_called_references_or_a_blank_to_fill_in_is() -> None:
    blanks = read(chapter("1", "The Harbour"), *prose(6), para("The boat .......... (lie) in the har·bour and never left it."))
    assert with_words(blanks, "(lie)")[0].kind is Kind.SENTENCE

    entries = [para(f"{term}, {n}, {n + 7}–{n + 9}", flush=True) for n, term in enumerate(["boats", "lamps", "letters"], 12)]
    book = read(chapter("1", "The Harbour"), *prose(10, 1), chapter(None, "Index"), *entries)
    assert len(of_kind(book, Kind.INDEX)) == 3
    assert paragraphs_of(book) == told(10, 1)

    notes = [para(f"{i}. The keeper of letters {'abcdefgh'[i]} says as much.") for i in range(1, 8)]
    book = read(*TWO_CHAPTERS, chapter(None, "Notes"), *notes)
    assert {each.kind for each in with_words(book, "The keeper of letters")} == {Kind.FOOTNOTE}

    book = read(chapter("1", "The Harbour"), *prose(10, 1), chapter("2", "References"), *prose(10, 2))
    assert paragraphs_of(book) == [*told(10, 1), *told(10, 2)]


def test_a_licence_around_a_book_is_no_text_of_it() -> None:
    book = read(
        para("The Project Gutenberg EBook of Boats, by An Author"),
        para("This eBook is for the use of anyone anywhere at no cost."),
        para("*** START OF THIS PROJECT GUTENBERG EBOOK BOATS ***", flush=True),
        chapter("I", "The Harbour"),
        *prose(8, 1),
        chapter("II", "The Lamps"),
        *prose(8, 2),
        para("End of the Project Gutenberg EBook of Boats"),
        para("*** END OF THIS PROJECT GUTENBERG EBOOK BOATS ***"),
        section("Section 1. General Terms of Use"),
        para("You may copy it, give it away or use it again under the terms of the licence."),
    )

    assert paragraphs_of(book) == [*told(8, 1), *told(8, 2)]
    assert with_words(book, "You may copy it") == with_words(book, "at no cost") == []
    assert [each.number for each in book.chapters] == ["I", "II"]


def block(chapter: Chapter, *lines: str, page: int = 0) -> TextBlock:
    return TextBlock(Kind.SENTENCE, chapter, (), tuple(a_flow(*(lines or ["It rained."]), page=page)))


def test_a_paragraph_goes_on_behind_a_box_on_the_next_page_if_one_alone_may() -> None:
    first = block(FRONT, "The boats that came back to", "the harbour with the long")
    rest, box = block(FRONT, "nets were old and green as", "the sea.", page=1), block(FRONT)

    assert [each.lines for each in rejoined([first, box, rest])] == [first.lines + rest.lines, box.lines]
    assert rejoined([first, first, rest]) == [first, first, rest]
    assert -1 in joints_broken([first, box, block(FRONT, "Nets were old and green as", "the sea.", page=1)], [])[2]


TWO_CHAPTERS = [chapter("I", "The Harbour"), *prose(10), chapter("II", "The River"), *prose(10, 1)]


def test_a_title_page_a_part_and_a_dedication_are_no_text_and_a_preface_is() -> None:
    book = read(title_page("A History of Boats", "by a Friend"), *TWO_CHAPTERS)
    assert with_words(book, "A History of Boats") == with_words(book, "by a Friend") == []
    assert [each.number for each in book.chapters] == ["I", "II"]

    parts = [title_page("PART ONE"), *TWO_CHAPTERS]
    book = read(
        *parts, title_page("PART TWO"), chapter("III", "The Lamps"), *prose(10, 2), chapter("IV", "The Mill"), *prose(10, 3)
    )
    assert [each.number for each in book.chapters] == ["I", "II", "III", "IV"]

    preface = [section("Preface"), para("This book was written in the evenings of one winter, for those who remember.")]
    book = read(page("To my brother"), *preface, *TWO_CHAPTERS)
    assert [each.kind for each in with_words(book, "To my brother")] == [Kind.CONTENTS]
    assert len(with_words(book, "This book was written")) == 1


def test_what_stands_above_the_first_heading_is_text_and_ornaments_are_none() -> None:
    stated = "Office hours: Mondays, room 210"
    book = read(para("by a Friend"), para(stated), section("The Harbour"), *prose(6), section("The River"), *prose(6, 1))
    assert [each.kind for each in with_words(book, stated)] == [Kind.SENTENCE]
    assert of_kind(book, Kind.CONTENTS) == ["by a Friend"]

    tasks = page(*(f"({letter}) the boat of the town" for letter in "ABCDEFGHI"))
    book = read(*prose(8, 3), tasks, *TWO_CHAPTERS)
    assert {each.kind for each in with_words(book, "the boat of the town")} == {Kind.SENTENCE}

    book = read(*prose(6, 1), para("* * *", flush=True), *prose(6, 2), design=Design(space=6, indent=0))
    assert of_kind(book) == [text for paragraph in [*told(6, 1), *told(6, 2)] for text in paragraph]

    blocks = [block(FRONT), block(Chapter(2, "I", None)), block(Chapter(2, "I", None)), block(Chapter(5, "II", None))]
    assert [each.chapter.index for each in renumbered(blocks)] == [-1, 0, 0, 1]
    led = [replace(block(Chapter(i, None, name)), kind=Kind.CONTENTS) for i, name in enumerate(("The Harbour", "Index"), 6)]
    assert [each.chapter.index for each in renumbered([*blocks, *led])] == [-1, 0, 0, 1, 1, 2]


def test_notes_and_captions_stand_in_the_chapter_of_their_page() -> None:
    noted = para("The harbour froze.^1", notes={"1": "In the winter of that year."})
    first = [chapter("I", "The Harbour"), *prose(8), noted, figure("Figure 1. The quay."), *prose(2, 1)]

    book = read(*first, chapter("II", "The River"), *prose(8, 2))

    extra = [each for each in book.sentences if each.kind in (Kind.FOOTNOTE, Kind.CAPTION)]
    assert {each.kind for each in extra} == {Kind.FOOTNOTE, Kind.CAPTION}
    assert {each.address.chapter.title for each in extra} == {"The Harbour"}


BODY = [flowing(full_line(TOP + 12 * i)) for i in range(12)]


def captions(text: str, size: float = 8, above: float = 4.0) -> list[str]:
    line = flowing(a_line(text, LEFT, 300, style=a_style(size)), above, 2.0)
    return [each.text for each in part_captions([*BODY, line, flowing(full_line(330), 2.0), *BODY]).apart]


def test_a_run_that_names_a_figure_is_its_caption_and_a_sentence_about_one_is_none() -> None:
    for text in ("Figure 3. The quay.", "FIG. 12 — The quay", "Table 2.1: Boats", "Plate IV. The mill", "Map A. The town"):
        assert captions(text) == [text]
    for text in ("Figure 3 shows the quay in winter", "Tables and chairs", "Maps were dear."):
        assert captions(text, 10, 1.0) == []


def test_a_caption_over_two_lines_is_one_and_a_picture_does_not_cut_a_paragraph() -> None:
    text = f"Table 4. {plain(Author(3).paragraph(3))}"
    book = read(*prose(6, 1), figure(text), *prose(6, 2))
    assert " ".join(of_kind(book, Kind.CAPTION)) == text
    assert len({each.address.paragraph_id for each in book.sentences if each.kind is Kind.CAPTION}) == 1

    first = "The boats lay in the har·bour of the old town and"
    second = "no·body came to see them un·til the end of the win·ter."
    book = read(*prose(6, 1), para(first), figure("Figure 2. The boats."), para(second, flush=True), *prose(6, 2))
    assert f"{plain(first)} {plain(second)}" in of_kind(book)


BIRDS = ("Bird\tLength\tEggs", "Robin\t140\t5", "Wren\t95\t6", "Great tit\t135\t8")
COLUMNS = Design(width=480, columns=2, indent=10)
OPEN = para("The boats that came back to the har·bour with the morn·ing tide and their long nets")
REST = para("car·ried the let·ters of the vil·lage were old. The rest is sold.", flush=True)


def test_text_between_tables_or_in_a_box_is_text_and_a_sentence_goes_on_after_a_table() -> None:
    book = read(*prose(3, 1), ruled(*BIRDS), *prose(4, 2), ruled(*BIRDS), *prose(3, 3))
    assert len(of_kind(book, Kind.TABLE)) == 2 * len(BIRDS)
    assert paragraphs_of(book) == [*told(3, 1), *told(4, 2), *told(3, 3)]

    def box(press: Press) -> None:
        left, right, top, foot = press.left - 4, press.left + press.design.measure + 4, press.y + 6, press.y + 60
        corners = [(left, top), (right, top), (right, foot), (left, foot), (left, top)]
        press.sheet.strokes += [(*a, *b) for a, b in pairwise(corners)]

    book = read(*prose(6, 1), box, *prose(6, 2))
    assert paragraphs_of(book) == [*told(6, 1), *told(6, 2)]

    book = read(*prose(8, 1), OPEN, ruled(*BIRDS, step=50), REST, *prose(8, 2), design=COLUMNS)
    assert of_kind(book, Kind.TABLE) == [row.replace("\t", " ") for row in BIRDS]
    [whole] = with_words(book, "The boats that came back")
    assert whole.text.endswith("long nets carried the letters of the village were old.")
    assert whole.quotable


def test_words_in_a_drawing_or_in_tiny_type_that_are_no_sentence_are_not_quoted_and_tear_none() -> None:
    keys = {(-12.0, 95.0): "Shift", (124.0, 95.0): "Boats", (58.0, -4.0): "Rate", (84.0, 38.0): "Volts"}
    book = read(*prose(6, 1), OPEN, drawing(keys), figure("Figure 1. The keys.", height=0), REST, *prose(6, 2))
    found = {each.text: each.quotable for each in book.sentences if each.kind is Kind.CAPTION}
    assert sorted(" ".join(found).split()) == sorted([*keys.values(), "Figure", "1.", "The", "keys."])
    assert [text for text, quotable in found.items() if quotable] == ["Figure 1. The keys."]
    assert with_words(book, "The boats that came back")[0].text.endswith("carried the letters of the village were old.")
    book = read(*prose(6, 1), display("north quay", size=6), *prose(6, 2), display("The quay is closed.", size=6))
    assert [each.quotable for each in book.sentences if each.kind is Kind.CAPTION] == [False, True]


def test_a_listing_below_its_name_is_no_part_of_the_sentence_before() -> None:
    book = read(
        *prose(6, 1),
        para("The harbour master wrote a program."),
        figure("Listing 1: A loop", height=8),
        display("for boat in boats:", "    print(boat)", "    count += 1", font="cour"),
        *prose(6, 2),
    )

    assert of_kind(book, Kind.CODE) == ["for boat in boats:", "print(boat)", "count += 1"]
    assert with_words(book, "wrote a program")[0].quotable


def test_a_dot_drawn_before_lines_is_their_bullet_and_a_frame_around_a_page_no_picture() -> None:
    lines = [a_line("Bring these:", 50, 60), a_line("a rope", 70, 80), a_line("dry socks", 70, 96)]
    dots = [Area(60, line.y0 + 3, 63.5, line.y0 + 6.5) for line in lines[1:]]

    assert [line.text for line in with_dots(lines, dots, ())] == ["Bring these:", "• a rope", "• dry socks"]
    assert with_dots(lines, dots[:1], ()) == lines
    assert with_dots(lines, dots, [Area(40, 50, 200, 120)]) == lines
    assert with_dots([*lines, a_line("x", 56, 80), a_line("x", 56, 96)], dots, ())[1:3] == lines[1:]

    frame = [Area(12, 12, 14, 588), Area(12, 12, 388, 14), Area(386, 12, 388, 588), Area(12, 586, 388, 588)]
    assert not list(pictures_of(frame, 400, 600))
    assert len(list(pictures_of([Area(60 + 4 * n, 60, 62 + 4 * n, 90) for n in range(3)], 400, 600))) == 1
