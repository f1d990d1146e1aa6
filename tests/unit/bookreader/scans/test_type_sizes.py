import numpy as np
import pytest

from bookreader.ocr import Picture, RecognizedWord
from bookreader.scans.type_sizes import RawLine, direction_of, extent_of, ink_of, lines_from, raw_lines_of


def word(text: str, x: float, size: float, baseline: float = 100.0) -> RecognizedWord:
    deep = 0.22 if set(text) & set("gjpqy") else 0.0
    top = 0.69 if set(text) & set("bdfhkl") else 0.66 if text[0].isupper() or "i" in text else 0.57 if "t" in text else 0.46
    return RecognizedWord(text, x, baseline - top * size, x + len(text) * size / 2, baseline + deep * size, 0.9)


def line(text: str, size: float, baseline: float = 100.0) -> RawLine:
    words, x = [], 50.0
    for each in text.split():
        words.append(word(each, x, size, baseline))
        x = words[-1].x1 + size / 3
    return RawLine(tuple(words))


def body(*sizes: float) -> list[RawLine]:
    text = "such a long line shows how high the letters of this book are"
    return [line(text, size, 20.0 * i) for i, size in enumerate(sizes)]


def test_lines_of_one_size_get_the_same_size_and_headings_and_notes_their_own() -> None:
    made = lines_from([(0, body(10.1, 9.9, 10.0, 10.05, 9.96, 10.2, 9.8))])[0]
    assert len({each.size for each in made}) == 1
    assert abs(made[0].size - 10) < 0.3

    others = [line("The Second Chapter", 16.0), line("a note under the text is smaller than the rest of it", 8.0)]
    made = lines_from([(0, body(*[10.0] * 20)), (1, others)])
    body_size, heading, note = made[0][0].size, made[1][0].size, made[1][1].size
    assert note < 0.9 * body_size < body_size < 1.3 * heading

    made = lines_from([(0, body(*[10.0] * 600)), (1, [line("Mutual Aid Among Animals", 18.0), line("7", 13.0, 500.0)])])
    heading, folio = (each.size for each in made[1])
    assert heading > 1.7 * made[0][0].size
    assert folio == made[0][0].size


@pytest.mark.parametrize("text", ["many trees stand in the rain", "young people say", "many young people say this"])
def test_the_baseline_is_that_of_letters_that_do_not_reach_below_it(text: str) -> None:
    made = lines_from([(0, [line(text, 10.0, 300.0)])])[0]

    assert abs(made[0].baseline - 300.0) < 0.1


def test_words_far_apart_are_two_lines() -> None:
    words = [word("left", 50, 10), word("side", 72, 10), word("right", 200, 10)]

    assert [[each.text for each in part.words] for part in raw_lines_of(words)] == [["left", "side"], ["right"]]


def test_a_token_has_the_confidence_of_its_word_and_raised_figures_are_the_call_of_a_note() -> None:
    made = lines_from([(0, [line("as the author says¹² here", 10.0)])])[0][0]
    says, call = made.tokens[3:5]
    assert (says.text, says.raised, says.glued, call.text, call.raised, call.glued) == ("says", False, False, "12", True, True)

    assert {token.confidence for token in lines_from([(0, [line("four words of text", 10.0)])])[0][0].tokens} == {0.9}


def test_blanks_beside_dashes_are_read_only_where_the_book_has_them() -> None:
    closed = [RawLine(tuple(word(text, 100.0 * n, 10) for n, text in enumerate(["a", "man—one", "word"]))) for _ in range(3)]
    gaps = RawLine((word("of", 0, 10), word("them—", 20, 10), word("who", 60, 10), word("saw", 80, 10)))
    lines = lines_from([(0, [*closed, gaps])])[0]
    assert lines[-1].text == "of them—who saw"

    open_dashes = RawLine((word("a", 0, 10), word("man", 20, 10), word("—", 50, 10), word("one", 70, 10)))
    assert lines_from([(0, [open_dashes])])[0][0].text == "a man — one"


def lines_of_print(degrees: float, size: int = 500) -> Picture:
    """A grey page with dark rows, turned clockwise."""
    ys, xs = np.mgrid[:size, :size].astype(float)
    tilt = np.radians(degrees)
    across = (ys - size / 2) * np.cos(tilt) - (xs - size / 2) * np.sin(tilt)
    along = (ys - size / 2) * np.sin(tilt) + (xs - size / 2) * np.cos(tilt)
    letters = np.random.default_rng(0).random((60, 200)) < 0.7
    dark = (across % 20 < 8) & letters[(across // 20).astype(int), (along // 3).astype(int)]
    dark &= (np.abs(along) < 180) & (np.abs(across) < 180)
    return np.where(dark, 60, 220).astype(np.uint8)


def test_ink_is_what_is_dark_a_page_of_one_grey_has_none_and_a_box_is_as_tight_as_it() -> None:
    page = lines_of_print(0)
    assert (ink_of(page) == (page == 60)).all()
    blank = np.full((100, 100), 250, np.uint8)
    assert not ink_of(blank).any()
    assert direction_of(ink_of(blank)) == 0

    ink = np.zeros((20, 30), bool)
    ink[5:8, 10:14] = True
    assert extent_of(ink, (2, 1, 25, 18)) == (10, 5, 14, 8)
    assert extent_of(ink, (20, 10, 25, 18)) == (20, 10, 25, 18)


@pytest.mark.parametrize("degrees", [0.0, 1.5, -2.3, 4.0, 90.0, 88.5])
def test_the_direction_of_the_lines_is_measured(degrees: float) -> None:
    assert direction_of(ink_of(lines_of_print(degrees))) == pytest.approx(degrees, abs=0.15)
