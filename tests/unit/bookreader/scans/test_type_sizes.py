import pytest

from bookreader.ocr import RecognizedWord
from bookreader.scans.type_sizes import RawLine, lines_from, raw_lines_of


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


def test_lines_of_one_size_get_the_same_size() -> None:
    sizes = [10.1, 9.9, 10.0, 10.05, 9.96, 10.2, 9.8]
    body = [
        line("such a long line shows how high the letters of this book are", size, 20.0 * i) for i, size in enumerate(sizes)
    ]

    made = lines_from([(0, body)])[0]

    assert len({each.size for each in made}) == 1
    assert abs(made[0].size - 10) < 0.3


def test_a_heading_and_a_note_keep_sizes_of_their_own() -> None:
    body = [line("such a long line shows how high the letters of this book are", 10.0, 20.0 * i) for i in range(20)]
    others = [line("The Second Chapter", 16.0), line("a note under the text is smaller than the rest of it", 8.0)]

    made = lines_from([(0, body), (1, others)])

    body_size, heading, note = made[0][0].size, made[1][0].size, made[1][1].size
    assert note < 0.9 * body_size < body_size < 1.3 * heading


@pytest.mark.parametrize("text", ["many trees stand in the rain", "young people say", "many young people say this"])
def test_the_baseline_is_that_of_letters_that_do_not_reach_below_it(text: str) -> None:
    made = lines_from([(0, [line(text, 10.0, 300.0)])])[0]

    assert abs(made[0].baseline - 300.0) < 0.1


def test_words_far_apart_are_two_lines() -> None:
    words = [word("left", 50, 10), word("side", 72, 10), word("right", 200, 10)]

    assert [[each.text for each in part.words] for part in raw_lines_of(words)] == [["left", "side"], ["right"]]


def test_raised_figures_are_the_call_of_a_note() -> None:
    made = lines_from([(0, [line("as the author says¹² here", 10.0)])])[0][0]

    assert [(token.text, token.raised, token.glued) for token in made.tokens][3:5] == [
        ("says", False, False),
        ("12", True, True),
    ]


def test_a_token_has_the_confidence_of_its_word() -> None:
    assert {token.confidence for token in lines_from([(0, [line("four words of text", 10.0)])])[0][0].tokens} == {0.9}


def test_the_one_heading_of_many_pages_keeps_its_size() -> None:
    body = [line("such a long line shows how high the letters of this book are", 10.0, 20.0 * i) for i in range(600)]

    made = lines_from([(0, body), (1, [line("Mutual Aid Among Animals", 18.0), line("7", 13.0, 500.0)])])

    heading, folio = (each.size for each in made[1])
    assert heading > 1.7 * made[0][0].size
    assert folio == made[0][0].size


def test_no_blank_is_read_beside_a_dash_where_the_book_has_none() -> None:
    closed = [RawLine(tuple(word(text, 100.0 * n, 10) for n, text in enumerate(["a", "man—one", "word"]))) for _ in range(3)]
    gaps = RawLine((word("of", 0, 10), word("them—", 20, 10), word("who", 60, 10), word("saw", 80, 10)))

    lines = lines_from([(0, [*closed, gaps])])[0]

    assert lines[-1].text == "of them—who saw"


def test_a_book_with_blanks_beside_dashes_keeps_them() -> None:
    open_dashes = RawLine((word("a", 0, 10), word("man", 20, 10), word("—", 50, 10), word("one", 70, 10)))

    assert lines_from([(0, [open_dashes])])[0][0].text == "a man — one"
