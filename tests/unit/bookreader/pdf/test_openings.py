import pytest

from bookreader.pdf.model import text_of
from bookreader.pdf.paragraphs import restore_opening
from bookreader.pdf.prose import as_printed, vocabulary_of
from tests.support.marks import a_line, a_style, lines_down
from tests.support.prose import Author, plain
from tests.support.reading import paragraphs_of, prose, read
from tests.support.typeset import chapter, para, section

BOOK = vocabulary_of(
    lines_down(
        "it rained when the ship was there",
        "and when the ship came Martha wept",
        "the GNU and GNU",
        "for Martha and her Martha",
    )
)


@pytest.mark.parametrize(
    ("line", "restored"),
    [
        ("THE SHIP WAS there", "The ship was there"),
        ("WHEN the ship", "When the ship"),
        ("NATO is there", "NATO is there"),
        ("GNU is there", "GNU is there"),
        ("I was there", "I was there"),
        ("A ship came", "A ship came"),
        ("WHEN MARTHA came", "When Martha came"),
        ("“THE SHIP,” she said", "“The ship,” she said"),
        ("The SHIP came", "The SHIP came"),
    ],
)
def test_an_opening_in_capitals_is_restored_and_a_name_is_not_touched(line: str, restored: str) -> None:
    assert text_of(restore_opening(a_line(line).tokens, BOOK)) == restored


@pytest.mark.parametrize(
    ("text", "restored"), [("The ship of Martha", "The ship of Martha was there"), ("nato", "nato was there")]
)
def test_an_opening_in_a_font_of_small_capitals_has_the_letters_of_the_file(text: str, restored: str) -> None:
    small = a_style()._replace(font="Times-SC")
    tokens = [*a_line(text, style=small).tokens, *a_line("was there").tokens]

    assert text_of(restore_opening(tokens, BOOK)) == restored
    assert text_of(as_printed(restore_opening(tokens, BOOK))) == (restored if text[0].isupper() else "NATO was there")


OPENINGS = [
    pytest.param("capitals", 3, id="three words in capitals"),
    pytest.param("small capitals", 3, id="three words in small capitals"),
    pytest.param("capitals", 0, id="a line in capitals"),
    pytest.param("small capitals", 0, id="a line in small capitals"),
]


@pytest.mark.parametrize("initial", [0, 3])
@pytest.mark.parametrize(("look", "words"), OPENINGS)
def test_the_first_words_of_a_chapter_read_like_any_other(look: str, words: int, initial: int) -> None:
    text = Author(11).paragraph(5)
    opening = para(text, opening=look, opening_words=words, initial=initial)

    book = read(chapter("I", "The Harbour"), opening, *prose(6, 1), chapter("II", "The River"), *prose(6, 2))

    assert " ".join(paragraphs_of(book)[0]) == plain(text)


def test_a_section_may_open_in_small_capitals_too() -> None:
    text = Author(12).paragraph(5)
    opening = para(text, opening="small capitals", opening_words=4)

    book = read(chapter("I", "The Harbour"), *prose(6), section("The Quay"), opening, *prose(6, 1))

    assert plain(text) in [" ".join(paragraph) for paragraph in paragraphs_of(book)]
