from itertools import pairwise

from bookreader.book import Kind
from bookreader.pdf.model import Area
from bookreader.pdf.page_artefacts import with_dots
from tests.support.marks import a_line
from tests.support.press import Design, Press
from tests.support.reading import of_kind, paragraphs_of, prose, read, told, with_words
from tests.support.typeset import display, drawing, figure, para, ruled

BIRDS = ("Bird\tLength\tEggs", "Robin\t140\t5", "Wren\t95\t6", "Great tit\t135\t8")
COLUMNS = Design(width=480, columns=2, indent=10)
OPEN = para("The boats that came back to the har·bour with the morn·ing tide and their long nets")
REST = para("car·ried the let·ters of the vil·lage were old. The rest is sold.", flush=True)


def test_text_between_two_tables_of_one_width_is_text() -> None:
    book = read(*prose(3, 1), ruled(*BIRDS), *prose(4, 2), ruled(*BIRDS), *prose(3, 3))

    assert len(of_kind(book, Kind.TABLE)) == 2 * len(BIRDS)
    assert paragraphs_of(book) == [*told(3, 1), *told(4, 2), *told(3, 3)]


def test_a_sentence_goes_on_after_a_table_in_its_column() -> None:
    book = read(*prose(8, 1), OPEN, ruled(*BIRDS, step=50), REST, *prose(8, 2), design=COLUMNS)

    assert of_kind(book, Kind.TABLE) == [row.replace("\t", " ") for row in BIRDS]
    [whole] = with_words(book, "The boats that came back")
    assert whole.text.endswith("long nets carried the letters of the village were old.")
    assert whole.quotable


def test_the_words_in_a_drawing_are_its_lettering_and_tear_no_sentence() -> None:
    letters = {(-12.0, 95.0): "A", (124.0, 95.0): "B", (58.0, -4.0): "C", (84.0, 38.0): "F", (50.0, 84.0): "base line"}

    book = read(*prose(6, 1), OPEN, drawing(letters), figure("Figure 1. The triangle.", height=0), REST, *prose(6, 2))

    words = ["A", "B", "C", "F", "Figure", "1.", "The", "triangle.", "base", "line"]
    assert sorted(" ".join(of_kind(book, Kind.CAPTION)).split()) == sorted(words)
    [whole] = with_words(book, "The boats that came back")
    assert whole.text.endswith("long nets carried the letters of the village were old.")


def test_text_in_a_box_is_text() -> None:
    def box(press: Press) -> None:
        left, right, top, foot = press.left - 4, press.left + press.design.measure + 4, press.y + 6, press.y + 60
        corners = [(left, top), (right, top), (right, foot), (left, foot), (left, top)]
        press.sheet.strokes += [(*a, *b) for a, b in pairwise(corners)]

    book = read(*prose(6, 1), box, *prose(6, 2))

    assert paragraphs_of(book) == [*told(6, 1), *told(6, 2)]


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


def test_a_dot_drawn_before_lines_is_their_bullet() -> None:
    lines = [a_line("Bring these:", 50, 60), a_line("a rope", 70, 80), a_line("dry socks", 70, 96)]
    dots = [Area(60, line.y0 + 3, 63.5, line.y0 + 6.5) for line in lines[1:]]

    assert [line.text for line in with_dots(lines, dots, ())] == ["Bring these:", "• a rope", "• dry socks"]
    assert with_dots(lines, dots[:1], ()) == lines
    assert with_dots(lines, dots, [Area(40, 50, 200, 120)]) == lines
    assert with_dots([*lines, a_line("x", 56, 80), a_line("x", 56, 96)], dots, ())[1:3] == lines[1:]
