"""What every TextRecognizer does, on pages drawn here: Tesseract where it is installed, RapidOCR everywhere."""

import numpy as np
import pymupdf
import pytest

from bookreader.errors import RecognitionFailed
from bookreader.ocr import Picture, RecognizedWord, Tesseract, TextRecognizer, rapid_ocr, tesseract

LINES = ("The liberty of the press is a security against", "corrupt government, and it needs no defence", "in the year 1859.")
GERMAN = ("Die Freiheit der Presse schützt gegen", "schlechte Regierungen und größere Übel.")


@pytest.fixture(params=["tesseract", "rapidocr"], scope="module")
def recognizer(request: pytest.FixtureRequest) -> TextRecognizer:
    found = {"tesseract": tesseract, "rapidocr": rapid_ocr}[request.param]()
    if found is None:
        pytest.skip(f"{request.param} is not installed on this machine")
    return found


def picture(lines: tuple[str, ...], dpi: int) -> Picture:
    """A small page with the lines, 16 points apart, the first at (40, 60)."""
    page = pymupdf.open().new_page(width=400, height=200)
    for number, line in enumerate(lines):
        page.insert_text((40, 60 + 16 * number), line, fontsize=11, fontname="tiro")
    drawn = page.get_pixmap(dpi=dpi, colorspace=pymupdf.csGRAY)
    return np.frombuffer(drawn.samples, np.uint8).reshape(drawn.height, drawn.stride)[:, : drawn.width].copy()


def texts(lines: list[list[RecognizedWord]]) -> list[str]:
    """The lines' words, top to bottom."""
    return [" ".join(word.text for word in line) for line in sorted(lines, key=lambda line: line[0].y0)]


def test_lines_of_print_are_read_in_a_language_known_or_not_each_word_with_its_box_in_pixels(
    recognizer: TextRecognizer,
) -> None:
    drawn = picture(LINES, recognizer.dpi)
    scale = recognizer.dpi / 72

    lines = recognizer.lines(drawn, "en")

    assert texts(lines) == texts(recognizer.lines(drawn)) == list(LINES)
    first = min(lines, key=lambda line: line[0].y0)
    assert first == sorted(first, key=lambda word: word.x0)
    assert first[0].text == "The"
    assert first[0].x0 == pytest.approx(40 * scale, abs=4 * scale)
    assert first[0].y0 < 60 * scale < first[0].y1 + 2 * scale
    assert all(0 <= word.confidence <= 1 for word in first)


def test_a_blank_page_has_no_lines(recognizer: TextRecognizer) -> None:
    assert recognizer.lines(picture((), recognizer.dpi), "en") == []


def test_german_letters_are_read(recognizer: TextRecognizer) -> None:
    if isinstance(recognizer, Tesseract) and "deu" not in recognizer.languages:
        pytest.skip("Tesseract is installed without German")

    assert texts(recognizer.lines(picture(GERMAN, recognizer.dpi), "de")) == list(GERMAN)


def test_a_program_that_cannot_start_has_failed_to_recognize() -> None:
    with pytest.raises(RecognitionFailed):
        Tesseract("/no/such/program").lines(picture(LINES, 300), "en")
