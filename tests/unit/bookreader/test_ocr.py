import pytest

from bookreader.ocr import lines_of

COLUMNS = (
    "level", "page_num", "block_num", "par_num", "line_num", "word_num", "left", "top", "width", "height", "conf", "text",
)  # fmt: skip


def table(*texts: str) -> str:
    """Tesseract's table of one line with these words."""
    rows = [["5", "1", "1", "1", "1", str(n), str(50 * n), "10", "40", "12", "95.5", text] for n, text in enumerate(texts)]
    return "\n".join("\t".join(row) for row in [COLUMNS, *rows])


@pytest.mark.parametrize(
    ("seen", "printed"),
    [
        ("Il Of the Dawn", "II Of the Dawn"),
        ("Vll. Of the Dawn", "VII. Of the Dawn"),
        ("XIl Of the Dawn", "XII Of the Dawn"),
        *((words, words) for words in ("It Of the Dawn", "I Of the Dawn", "Ill fares the land", "He fell Ill")),
    ],
)
def test_the_number_of_a_chapter_has_no_small_letters_and_a_word_of_a_sentence_is_no_number(seen: str, printed: str) -> None:
    [line] = lines_of(table(*seen.split()), "en")

    assert " ".join(word.text for word in line) == printed
