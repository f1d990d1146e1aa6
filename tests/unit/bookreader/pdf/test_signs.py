import pytest

from bookreader.pdf.characters import Span, in_letters, style_of, with_signs


def a_span(text: str, font: str) -> Span:
    chars = [
        {"c": c, "bbox": (5.0 * i, 0.0, 5.0 * i + 5, 10.0), "origin": (5.0 * i, 8.0), "synthetic": False}
        for i, c in enumerate(text)
    ]
    return Span(chars, text, style_of(font, 10.0, 0, 0), 10.0, 8.0, 0.0, 10.0)


@pytest.mark.parametrize(
    ("text", "font", "shown"),
    [
        ("2", "CMSY10", "\ufffd"),  # "∈" saved anew
        ("∈ F", "CMSY10", "∈ F"),
        ("⇥", "CMR10", "\ufffd"),
        ("™", "Dingbats", "\ufffd"),
        ("♥ ➢", "ZapfDingbats", "♥ ➢"),
        ("§ ü", "Wingdings-Regular", "▪ ✓"),
        ("Q", "Wingdings", "\ufffd"),
        ("⇧ 2", "Helvetica", "⇧ 2"),
        ("2", "Symbol", "2"),
        ("\uf071 ´ m", "Symbol", "θ × μ"),
    ],
)
def test_a_font_of_signs_prints_no_letters(text: str, font: str, shown: str) -> None:
    assert [span.text for span in with_signs([a_span(text, font)])] == [shown]


def test_a_font_of_text_with_codes_of_signs_prints_the_letters_that_make_words() -> None:
    for text, shown in (("\uf050lanets\uf020move", "Planets move"), ("\uf06c", "\uf06c")):
        assert [span.text for spans in in_letters([[a_span(text, "Bookman")]]) for span in spans] == [shown]


@pytest.mark.parametrize(
    ("first", "fonts", "bullet"),
    [
        ("o", ("CourierNewPSMT", "Calibri"), "○"),
        ("o", ("Calibri", "Calibri"), "o"),
        ("o", ("Courier", "Courier"), "o"),
        ("of", ("Courier", "Calibri"), "of"),
    ],
)
def test_a_typewriters_o_before_other_type_is_a_bullet(first: str, fonts: tuple[str, str], bullet: str) -> None:
    spans = [a_span(first, fonts[0]), a_span("the boats", fonts[1])]

    assert [span.text for span in with_signs(spans)] == [bullet, "the boats"]
