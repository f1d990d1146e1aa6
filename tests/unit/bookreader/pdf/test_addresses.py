from dataclasses import replace

import pytest

from bookreader.book import DEFAULT_LIMITS, BookId, Chapter, Kind, Sentence
from bookreader.html.epub import pdf_of
from bookreader.pdf.addresses import Edition, hung_below, joints_broken, name_in, sentences_of
from bookreader.pdf.flow import FlowLine
from bookreader.pdf.kinds import TextBlock
from bookreader.pdf.model import Line, PdfPage, line_of
from bookreader.pdf.parse import parse_book
from bookreader.pdf.prose import vocabulary_of
from tests.support.epubs import epub
from tests.support.marks import LEFT, TOP, a_flow, a_line, a_page, a_style, full_line, lines_down
from tests.support.typeset import chapter, display, para, typeset

CHAPTER = Chapter(0, "I", "The Harbour")
EDITION = Edition(BookId("book"), "v1", ["xiv", "xv"], vocabulary_of([]), {})


def block(*lines: str, kind: Kind = Kind.SENTENCE, chapter: Chapter = CHAPTER, opens: bool = False, page: int = 0) -> TextBlock:
    return TextBlock(kind, chapter, ("The Quay",), tuple(a_flow(*lines, page=page)), opens)


def addressed(*blocks: TextBlock) -> list[Sentence]:
    return [sentence for sentence, _ in sentences_of([(block, "") for block in blocks], EDITION)]


def test_a_sentence_carries_all_of_its_address_and_knows_its_neighbours() -> None:
    first, second = addressed(block("It rained. Nobody", "came."))
    assert (first.text, second.text) == ("It rained.", "Nobody came.")
    assert second.address.chapter == CHAPTER
    assert second.address.section_path == ("The Quay",)
    assert (second.address.paragraph, second.address.sentence) == (0, 1)
    assert second.address.span == (11, 23)
    assert [place.page_label for place in second.address.places] == ["xiv"]
    assert len(second.address.places[0].boxes) == 2

    first, second, third = addressed(block("It rained. Nobody came."), block("It snowed."))
    assert (first.prev_id, first.next_id) == (None, second.id)
    assert (second.prev_id, second.next_id) == (first.id, None)
    assert (third.prev_id, third.next_id) == (None, None)

    blocks = [block("It rained. Nobody came."), block("It snowed.", kind=Kind.FOOTNOTE)]
    ids = [each.id for each in addressed(*blocks)]
    assert ids == [each.id for each in addressed(*blocks)]
    assert len(set(ids)) == 3
    assert all(each.startswith("v1-") for each in ids)


@pytest.mark.parametrize(
    "text",
    [
        *("The func6on is old.", "He wrote the le@er.", "The boats k3 g6 r4 v5 are old.", "3The boats are old.", "Sec. 5."),
        *("⁸ The boats are old.", "The boats‡ are old.", "1⁷ See the boats.", "The boats are old,", "The boats of version 2.1"),
        *("The boats (see the list.", "The boats) are old, and nobody came."),
    ],
)
def test_a_sentence_that_is_printed_otherwise_or_does_not_end_is_not_quoted(text: str) -> None:
    [sentence] = addressed(block(text))

    assert not sentence.quotable


@pytest.mark.parametrize(
    "text", ["The web2py(s), log4j, AT&T and H2O.", "The boats (of the (old) town) lay.", "b) the old boats"]
)
def test_a_sentence_with_odd_words_is_quoted(text: str) -> None:
    [sentence] = addressed(block(text))

    assert sentence.quotable


def test_the_last_sentence_of_an_item_ends_if_others_do_and_so_does_that_of_a_side_note_or_a_name() -> None:
    item, note = block("b) It rained here. We call the length"), block("It rained here. We call", kind=Kind.SIDENOTE)
    note = replace(note, lines=(replace(note.lines[0], kind=Kind.SIDENOTE),))
    name = replace(note, kind=Kind.CAPTION, lines=(replace(note.lines[0], kind=Kind.CAPTION, is_label=True),))
    assert [each.quotable for each in addressed(item, note, name)] == [True, False] * 3


@pytest.mark.parametrize(("faces", "quotable"), [("cttt", True), ("ttcc", False), ("tccc", True)])
def test_only_a_name_in_a_face_of_its_own_may_begin_small(faces: str, quotable: bool) -> None:
    [line] = a_flow("sort reads old files.")
    tokens = [each._replace(style=each.style._replace(font=face)) for each, face in zip(line.line.tokens, faces, strict=True)]
    own = replace(line, line=line_of(0, tokens, line.line.baseline))

    [sentence] = addressed(replace(block("x"), lines=(own,)))

    assert sentence.quotable is quotable


def spread(line: FlowLine, start: int) -> FlowLine:
    """The line with a wide blank before that word."""
    tokens = [t._replace(x0=t.x0 + 30, x1=t.x1 + 30) if n >= start else t for n, t in enumerate(line.line.tokens)]
    return replace(line, line=line_of(0, tokens, line.line.baseline))


def test_words_far_apart_or_over_each_other_are_not_quoted_but_after_an_items_number_or_in_rows_of_as_many_cells() -> None:
    [line] = a_flow("1. The boats lay here.")
    found = [addressed(replace(block("x"), lines=(spread(line, after),)))[-1] for after in (1, 3)]
    assert [each.quotable for each in found] == [True, False]

    rows = tuple(spread(each, 1) for each in a_flow("Lamps 12", "Boats 14", "Nets"))
    assert [each.quotable for each in addressed(replace(block("x", kind=Kind.TABLE), lines=rows))] == [True, False, False]

    over = [t._replace(x0=t.x0 - 60, x1=t.x1 - 60) if n == 4 else t for n, t in enumerate(line.line.tokens)]
    [printed_over] = addressed(replace(block("x"), lines=(replace(line, line=line_of(0, over, line.line.baseline)),)))
    assert not printed_over.quotable
    assert [each.quotable for each in addressed(block("We go there in the month of", "b. When do you go?"))] == [False, True]
    verse, listed = block("The boats lay", "In the old", "Harbour."), block("1 can of beans", "2 old nets", "Mix all.")
    assert [each.quotable for each in addressed(verse, listed)] == [True, False]


@pytest.mark.parametrize("kind", list(Kind))
def test_each_kind_is_counted_for_itself(kind: Kind) -> None:
    others = [block("It rained.", kind=other) for other in Kind if other is not kind]

    *_, first, second = addressed(*others, block("It snowed.", kind=kind), block("It froze.", kind=kind))

    assert (first.address.paragraph, second.address.paragraph) == (0, 1)


def test_paragraphs_with_words_are_counted_in_every_chapter_and_only_what_follows_a_heading_is_an_opening() -> None:
    blocks = [block("It rained."), block("It snowed."), block("It froze.", chapter=Chapter(1, "II", None))]
    assert [each.address.paragraph for each in addressed(*blocks)] == [0, 1, 0]

    assert [each.address.paragraph for each in addressed(block("^1"), block("It rained."))] == [0]
    assert [each.text for each in addressed(block("ADA OF THE HARBOUR", opens=True))] == ["ADA OF THE HARBOUR"]

    opening, other = addressed(block("THE BOATS lay there.", opens=True), block("THE BOATS lay there."))
    assert opening.text == "The boats lay there."
    assert other.text == "THE BOATS lay there."


@pytest.mark.parametrize(
    ("line", "text", "begin"),
    [("• The boats", "The boats", 10), ("▪The boats", "The boats", 5), ("• boats • lamps", "• boats • lamps", 0)],
)
def test_the_bullet_before_an_item_is_no_part_of_its_text_or_its_box(line: str, text: str, begin: float) -> None:
    [item] = addressed(block(line))

    assert item.text == text
    assert item.address.places[0].boxes[0].x0 == LEFT + begin


def a_row(row: int, page: int = 0, left: float = LEFT, size: float = 10) -> Line:
    """A line of 200 points, 12 points below the one of the row before."""
    return full_line(TOP + 12 * row, left, left + 200, page, a_style(size))


def broken(block: list[Line], printed: list[Line], apart: list[Line] | None = None, kind: Kind = Kind.CAPTION) -> bool:
    """Whether the paragraph of those lines is broken among all that are printed."""
    chapter = Chapter(-1, None, None)
    own = [(Kind.SENTENCE, block), *([(kind, apart)] if apart else [])]
    blocks = [TextBlock(each, chapter, (), tuple(FlowLine(line, 50, 250) for line in lines)) for each, lines in own]
    pages = [PdfPage(n, 600, 800, "", tuple(line for line in printed if line.page == n)) for n in (0, 1)]
    return 0 in joints_broken(blocks, pages)


def test_lines_that_follow_each_other_are_neighbours_and_a_line_between_two_breaks_them_unless_it_is_apart() -> None:
    lines = [a_row(row) for row in range(4)]
    assert not broken(lines[:2], lines)

    first, between, last = (a_row(row) for row in range(3))
    assert broken([first, last], [first, between, last])

    first, between, last = (a_row(row) for row in range(3))
    small = a_row(1, size=6.0)
    assert not broken([first, last], [first, small, last])
    assert not broken([first, last], [first, between, last], apart=[between])
    assert broken([first, last], [first, between, last], apart=[between], kind=Kind.FORMULA)

    line = a_row(0)
    part = replace(line, x0=120.0)
    assert not broken([line, part], [line, part])


@pytest.mark.parametrize(
    ("lower", "quotable"), [(6.6, False), (8.5, True), (12.0, True)], ids=["below lim", "raised", "a line"]
)
def test_a_sentence_is_not_quoted_if_small_print_hangs_below_it_that_is_not_raised_beside_the_next_line(
    lower: float, quotable: bool
) -> None:
    of = block("The limit lim of it is four.", "It is a number.")
    first, second = (each.line for each in of.lines)
    small = a_line("xa", first.x0 + 40, first.baseline + lower, style=a_style(6))
    edition = replace(EDITION, hung=hung_below([a_page(first, second, small)]))

    sentences = [sentence.quotable for sentence, _ in sentences_of([(of, "")], edition)]

    assert sentences == [quotable, True]


def test_a_line_that_goes_on_in_the_next_column_or_page_is_the_last_of_its_own() -> None:
    left, right = [a_row(row) for row in range(3)], [a_row(row, left=300) for row in range(3)]
    over = [a_row(row, page=1) for row in range(3)]
    assert broken([left[1], right[0]], [*left, *right])
    assert not broken([left[2], over[0]], [*left, *over])
    assert broken([left[2], over[1]], [*left, *over])

    left, right = [a_row(row) for row in range(3)], [a_row(row, left=300) for row in range(3)]
    assert not broken(left, [*left, *right])
    assert not broken([left[2], right[0]], [*left, *right])


@pytest.mark.parametrize(
    ("words", "after"),
    [(["The", "And", "Boats –"], True), (["The", "And", "Boats."], False), (["The", "and", "Boats;"], False)],
)
def test_a_stanza_that_goes_on_in_the_next_breaks_it(words: list[str], after: bool) -> None:
    flows = [tuple(FlowLine(line, 50, 250) for line in own) for own in (lines_down(*words), [a_row(9)])]
    blocks = [TextBlock(Kind.SENTENCE, Chapter(-1, None, None), (), flow) for flow in flows]

    assert (-1 in joints_broken(blocks, []).get(1, frozenset())) is after


SPEECHES = [
    ("HAMLET", "Whither wilt thou lead me? Speak, I will go no further than this wall."),
    ("GHOST", "Mark me and all that I shall say to thee this night."),
    ("HAMLET", "I will do as thou sayest."),
    ("GHOST", "My hour is almost come, when I to flames must go."),
    ("HAMLET", "Alas, poor ghost, that art so far from rest."),
    ("GHOST", "Pity me not but lend thy hearing to what I shall unfold."),
]


def texts(pdf: bytes) -> list[tuple[str, bool]]:
    return [(each.text, each.quotable) for each in parse_book(pdf, BookId("play")).sentences if each.kind is Kind.SENTENCE]


def test_names_before_speeches_or_on_lines_of_their_own_and_directions_are_no_part_of_them() -> None:
    for as_set, stop in ((str.upper, ""), (str.upper, "."), (str.upper, ":"), (str.title, ".")):
        names = [f"{as_set(name)}{stop}" for name, _ in SPEECHES]
        said = [f"{name} {words}" for name, (_, words) in zip(names, SPEECHES, strict=True)]
        found = texts(typeset(*(para(each, flush=as_set is str.upper) for each in said)))

        assert found[:3] == [
            (names[0], False),
            ("Whither wilt thou lead me?", True),
            ("Speak, I will go no further than this wall.", True),
        ]
        assert [text for text, quotable in found if not quotable] == names

    speeches = [*SPEECHES, ("GHOST", "Adieu, remember me."), ("GUARD 2", "Who comes there?")]
    said = [display(name, words, size=10) for name, words in speeches]
    directions = [para("The camera shows the wall and the sea below it in the dawn.") for _ in range(30)]
    found = texts(typeset(*said, *directions))
    assert [text for text, quotable in found if not quotable] == [name for name, _ in speeches]

    said = [para(f"{name} {words}") for name, words in SPEECHES]
    found = texts(typeset(*said, para("GHOST [within] Swear by my sword.")))
    assert [text for text, _ in found][-3:] == ["GHOST", "[within]", "Swear by my sword."]

    for font, name in (("CMCSC10", "The Ghost"), ("CMR10", "")):
        assert name_in(a_line("The Ghost", style=a_style()._replace(font=font)), first=True) == name


@pytest.mark.parametrize("words", ["[Our teacher] never said that it would close.", "[within] swear by my sword."])
def test_an_insertion_is_part_of_the_speech(words: str) -> None:
    said = [para(f"{name} {each}") for name, each in SPEECHES]

    assert [text for text, _ in texts(typeset(*said, para(f"GHOST {words}")))][-2:] == ["GHOST", words]


def test_capitals_in_other_books_are_words_a_direction_is_no_chapter_and_a_play_in_a_table_is_text() -> None:
    plain = [para(f"{'NATO' if n % 5 == 0 else 'The council'} met on day {n} and said nothing of it.") for n in range(15)]
    assert ("NATO met on day 0 and said nothing of it.", True) in texts(typeset(*plain))

    prose = para("The king came in with all his men and sat. " * 30)
    scenes = [each for title in ("The Harbour", "The Street", "The Storm") for each in (chapter(None, title), prose)]
    scenes += [chapter(None, "[Exeunt.]"), prose]
    chapters = parse_book(typeset(*scenes), BookId("play")).chapters
    assert [each.title for each in chapters] == ["The Harbour", "The Street", "The Storm"]

    rows = "".join(f'<tr><td epub:type="z3998:persona">{name.title()}</td><td>{said}</td></tr>' for name, said in SPEECHES)
    play = f"<table><tbody>{rows}</tbody></table><p>They go.</p><table><tr><td>Sales</td><td>12</td></tr></table>"
    book = parse_book(pdf_of(epub([("Act I", play)]), DEFAULT_LIMITS), BookId("play"))
    kinds = {each.text: (each.kind, each.quotable) for each in book.sentences}
    assert kinds["I will do as thou sayest."] == (Kind.SENTENCE, True)
    assert kinds["Hamlet"] == (Kind.SENTENCE, False)
    assert kinds["Sales 12"][0] is Kind.TABLE
