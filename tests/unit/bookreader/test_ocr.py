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
    [("Il", "II"), ("Ill", "III"), ("Vll.", "VII."), ("XIl", "XII"), *((word, word) for word in ("It", "I", "Italy", "all"))],
)
def test_the_number_of_a_chapter_has_no_small_letters(seen: str, printed: str) -> None:
    [line] = lines_of(table(seen, "Of", "the", "Dawn"), "en")

    assert line[0].text == printed


@pytest.mark.parametrize("texts", [("Ill", "fares", "the", "land"), ("He", "fell", "Ill")])
def test_a_word_of_a_sentence_is_no_number(texts: tuple[str, ...]) -> None:
    [line] = lines_of(table(*texts), "en")

    assert tuple(word.text for word in line) == texts
