import pytest

from bookreader.book import Book
from bookreader.pdf.model import PdfPage, text_of
from bookreader.pdf.paragraphs import restore_opening, with_initials
from bookreader.pdf.prose import as_printed, vocabulary_of
from tests.support.marks import a_line, a_page, a_style, lines_down
from tests.support.press import PLAIN, Design
from tests.support.prose import Author, plain
from tests.support.reading import of_kind, paragraphs_of, prose, read
from tests.support.typeset import chapter, para, section

STORY = ["it rained when the ship was there", "and when the ship came Martha wept", "the GNU and GNU for Martha and Martha"]
BOOK = vocabulary_of(lines_down(*STORY))


@pytest.mark.parametrize(
    ("line", "restored"),
    [
        ("THE SHIP WAS there", "The ship was there"),
        ("WHEN the ship", "When the ship"),
        ("WHEN MARTHA came", "When Martha came"),
        ("“THE SHIP,” she said", "“The ship,” she said"),
        *((line, line) for line in ("NATO is there", "JR, CP and PYB", "I was there", "A ship came", "The SHIP came")),
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


@pytest.mark.parametrize("initial", [0, 3])
@pytest.mark.parametrize("look", ["capitals", "small capitals"])
@pytest.mark.parametrize("words", [0, 3], ids=["a line", "three words"])
def test_the_first_words_of_a_chapter_read_like_any_other(look: str, words: int, initial: int) -> None:
    text = Author(11).paragraph(5)
    opening = para(text, opening=look, opening_words=words, initial=initial)

    book = read(chapter("I", "The Harbour"), opening, *prose(6, 1), chapter("II", "The River"), *prose(6, 2))

    assert " ".join(paragraphs_of(book)[0]) == plain(text)


def set_page(letter: str, *beside: str, size: float = 30, baseline: float = 72) -> PdfPage:
    """A drop cap two lines high, with text beside it and one line below."""
    cap = a_line(letter, 50, baseline, style=a_style(size))
    texts = lines_down(*beside, x0=cap.x1 + 3, top=60)
    return with_initials(a_page(cap, *texts, a_line("went on below.", 50, 84)), 10)


@pytest.mark.parametrize(
    ("letter", "first", "joined"),
    [
        ("T", "HE boats lay", "THE boats lay"),
        ("I", "t rained all day", "It rained all day"),
        ("A", "man came home", "A man came home"),
        ("A", "fter the rain", "After the rain"),
        ("O", "n the quay", "On the quay"),
        ("“W", "here is it", "“Where is it"),
    ],
)
def test_the_letter_goes_back_to_its_word_and_the_lines_beside_it_to_the_left_edge(
    letter: str, first: str, joined: str
) -> None:
    page = set_page(letter, first, "in the harbour and")

    assert [line.text for line in page.lines] == [joined, "in the harbour and", "went on below."]
    assert [line.x0 for line in page.lines] == [50, 50, 50]


def test_a_large_letter_without_text_beside_it_is_left_alone() -> None:
    page = a_page(a_line("I", 200, 60, style=a_style(30)), *lines_down("It rained.", top=120))
    assert with_initials(page, 10) == page


@pytest.mark.parametrize(("size", "baseline"), [(24, 60), (14, 60), (30, 72)], ids=["raised", "a little raised", "dropped"])
def test_initials_are_raised_or_dropped(size: float, baseline: float) -> None:
    page = set_page("T", "hings lay", "in the harbour and", size=size, baseline=baseline)

    assert page.lines[0].text == "Things lay"


def opened(text: str, initial: int, design: Design = PLAIN) -> Book:
    first, second = [para(text, initial=initial), *prose(6, 1)], prose(6, 2)
    return read(chapter("I", "The Harbour"), *first, chapter("II", "The River"), *second, design=design)


OPENING = (
    "The old har·bour had been quiet all through that long win·ter, and no·body in the town could re·mem·ber when the last of "
    "the great ships had left the quay. It was said that the ice would stay un·til sum·mer, and that the boats would nev·er "
    "sail a·gain. The chil·dren did not be·lieve a word of it."
)  # fmt: skip


def test_an_opening_loses_no_line_keeps_a_word_of_one_letter_and_its_box_is_the_sentences() -> None:
    numbers = enumerate(["I", "II", "III"])
    parts = [[chapter(number, "Of Boats"), para(OPENING, initial=2), *prose(3, i)] for i, number in numbers]
    book = read(*(element for part in parts for element in part))
    assert [" ".join(paragraph) for paragraph in paragraphs_of(book)].count(plain(OPENING)) == 3

    book = opened(f"A man of the town came home. {OPENING}", 2)
    assert of_kind(book)[0] == "A man of the town came home."

    [place] = opened(OPENING, 3).sentences[0].address.places
    assert min(box.x0 for box in place.boxes) == pytest.approx(PLAIN.left, abs=1)
    assert max(box.y1 - box.y0 for box in place.boxes) > 2 * PLAIN.size

    text = Author(12).paragraph(5)
    opening = para(text, opening="small capitals", opening_words=4)
    book = read(chapter("I", "The Harbour"), *prose(6), section("The Quay"), opening, *prose(6, 1))
    assert plain(text) in [" ".join(paragraph) for paragraph in paragraphs_of(book)]
