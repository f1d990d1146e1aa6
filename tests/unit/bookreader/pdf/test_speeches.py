"""Plays: the name of who speaks is no part of what is said."""

import pytest

from bookreader.book import DEFAULT_LIMITS, BookId, Kind
from bookreader.html.epub import pdf_of
from bookreader.pdf.addresses import name_in
from bookreader.pdf.model import TextStyle, Token, line_of
from bookreader.pdf.parse import parse_book
from tests.support.epubs import epub
from tests.support.typeset import chapter, display, para, typeset

STYLE = TextStyle("CMCSC10", 10.0, False, False, 0)
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


def test_names_that_recur_before_speeches_are_no_part_of_them() -> None:
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


def test_a_direction_is_no_part_of_the_speech() -> None:
    said = [para(f"{name} {words}") for name, words in SPEECHES]
    found = texts(typeset(*said, para("GHOST [within] Swear by my sword.")))

    assert [text for text, _ in found][-3:] == ["GHOST", "[within]", "Swear by my sword."]


@pytest.mark.parametrize("words", ["[Our teacher] never said that it would close.", "[within] swear by my sword."])
def test_an_insertion_is_part_of_the_speech(words: str) -> None:
    said = [para(f"{name} {each}") for name, each in SPEECHES]

    assert [text for text, _ in texts(typeset(*said, para(f"GHOST {words}")))][-2:] == ["GHOST", words]


def test_a_name_in_small_capitals_on_a_line_of_its_own_is_one() -> None:
    names = [Token("The", 0, 0, 20, 10, STYLE), Token("Ghost", 24, 0, 50, 10, STYLE)]

    assert name_in(line_of(0, names, 8.0), first=True) == "The Ghost"
    assert not name_in(line_of(0, [each._replace(style=STYLE._replace(font="CMR10")) for each in names], 8.0), first=True)


def test_names_on_lines_of_their_own_are_no_part_of_speeches_in_a_script_of_directions() -> None:
    speeches = [*SPEECHES, ("GHOST", "Adieu, remember me."), ("GUARD 2", "Who comes there?")]
    said = [display(name, words, size=10) for name, words in speeches]
    directions = [para("The camera shows the wall and the sea below it in the dawn.") for _ in range(30)]
    found = texts(typeset(*said, *directions))

    assert [text for text, quotable in found if not quotable] == [name for name, _ in speeches]


def test_capitals_at_the_beginning_of_other_books_are_words() -> None:
    plain = [para(f"{'NATO' if n % 5 == 0 else 'The council'} met on day {n} and said nothing of it.") for n in range(15)]

    assert ("NATO met on day 0 and said nothing of it.", True) in texts(typeset(*plain))


def test_a_direction_in_brackets_is_no_chapter() -> None:
    prose = para("The king came in with all his men and sat. " * 30)
    scenes = [each for title in ("The Harbour", "The Street", "The Storm") for each in (chapter(None, title), prose)]
    scenes += [chapter(None, "[Exeunt.]"), prose]

    chapters = parse_book(typeset(*scenes), BookId("play")).chapters

    assert [each.title for each in chapters] == ["The Harbour", "The Street", "The Storm"]


def test_a_play_set_as_a_table_is_text() -> None:
    rows = "".join(f'<tr><td epub:type="z3998:persona">{name.title()}</td><td>{said}</td></tr>' for name, said in SPEECHES)
    play = f"<table><tbody>{rows}</tbody></table><p>They go.</p><table><tr><td>Sales</td><td>12</td></tr></table>"
    book = parse_book(pdf_of(epub([("Act I", play)]), DEFAULT_LIMITS), BookId("play"))
    kinds = {each.text: (each.kind, each.quotable) for each in book.sentences}

    assert kinds["I will do as thou sayest."] == (Kind.SENTENCE, True)
    assert kinds["Hamlet"] == (Kind.SENTENCE, False)
    assert kinds["Sales 12"][0] is Kind.TABLE
