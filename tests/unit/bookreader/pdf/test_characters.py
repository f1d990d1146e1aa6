import re

import pytest

from bookreader.pdf.characters import (
    NOT_EXACT,
    Span,
    capitals_of,
    has_small_capitals,
    in_letters,
    is_unreadable,
    lowered_form,
    parts_of_word,
    plain,
    put_right,
    raised_form,
    style_of,
    with_signs,
    without_guesses,
)


@pytest.mark.parametrize(
    ("text", "before", "form"),
    [
        ("2", "x", "²"),
        ("−27", "10", "⁻²⁷"),
        ("me", "M", "ᵐᵉ"),
        ("th", "19", "th"),
        ("th", "n", "ᵗʰ"),
        ("′′", "f", "′′"),
        ("◦", "90", "°"),
        ("TM", "Name", "™"),
        ("q", "x", None),
        ("ω", "2", None),
    ],
)
def test_a_raised_run_has_the_form_that_unicode_has_for_all_of_it(text: str, before: str, form: str | None) -> None:
    assert raised_form(text, before) == form


@pytest.mark.parametrize(("text", "form"), [("2", "₂"), ("n+1", "ₙ₊₁"), ("P", None), ("i,j", None), ("′", None)])
def test_a_lowered_run_has_the_form_that_unicode_has_for_all_of_it(text: str, form: str | None) -> None:
    assert lowered_form(text) == form


@pytest.mark.parametrize(
    ("letter", "font", "common"),
    [
        ("𝑛", "STIX", "n"),
        ("ℎ", "STIX", "h"),
        ("\ud703", "NewTXMI", "θ"),
        *((letter, font, letter) for letter, font in (("ℝ", "STIX"), ("𝒜", "STIX"), ("휃", "Batang"))),
    ],
)
def test_letters_in_mathematical_italics_are_common_letters(letter: str, font: str, common: str) -> None:
    assert plain(letter, font) == common


def test_unknown_characters_are_unreadable() -> None:
    assert all(map(is_unreadable, "\ufffd\ue001\x07"))
    assert not any(map(is_unreadable, "aé…—⸻²"))


def span_of(text: str, font: str = "CMR10", size: float = 10.0, places: list[float] | None = None) -> Span:
    """A span of letters half as wide as high, one after the other; places: where they begin instead."""
    at = places or [0.5 * size * i for i in range(len(text))]
    chars = [
        {"c": c, "bbox": (x, 0.0, x + 0.5 * size, size), "origin": (x, 0.8 * size), "synthetic": c == " "}
        for c, x in zip(text, at, strict=True)
    ]
    return Span(chars, text, style_of(font, size, 0, 0), size, 0.8 * size, 0.0, size)


def right(*spans: Span) -> str:
    return "".join(span.text for span in put_right(list(spans)))


@pytest.mark.parametrize(
    ("text", "places", "composed"),
    [
        ("G´eo", [0, 5, 5, 10], "Géo"),
        ("nai¨ve", [0, 5, 10, 10, 15, 20], "naïve"),
        ("¨ uber", [0, 5, 0.5, 5, 10, 15], "über"),
        ("ı¨", [0, 0], "ï"),
        ("o˝", [0, 0], "ő"),
        ("c¸", [0, 0], "ç"),
        ("a˚", [0, 0], "å"),
        ("\u0338=", [0, 0], "≠"),
        ("xˆ", [0, 0], "x\u0302"),
        ("c\u20dd", [0, 0], "©"),
        ("the ` sign", None, "the ` sign"),
    ],
)
def test_accents_come_to_the_letter_below_them(text: str, places: list[float] | None, composed: str) -> None:
    assert right(span_of(text, places=places)) == composed


def test_codes_of_ligatures_bullets_and_maths_letters_become_letters_and_what_is_no_character_is_unknown() -> None:
    assert right(span_of("e\x0ecient")) == "efficient"
    assert right(span_of("\x88")) == "•"
    assert right(span_of("R", "MSBM10")) == "ℝ"
    assert right(span_of("a\x07b")) == "a\ufffdb"

    assert [span.text for span in put_right([span_of("\uffff7")])] == ["\ufffd7"]

    assert (capitals_of("MSBM10")["R"], capitals_of("CMSY8")["F"], capitals_of("EUFM10")["C"]) == ("ℝ", "ℱ", "ℭ")
    assert not capitals_of("CMR10")


def test_letters_of_a_font_made_of_pictures_count_where_they_make_words() -> None:
    words, signs = span_of('the \\harbour" of\x0cce', "F8"), span_of("f1;2g", "F11")

    [[worded, guessed]] = without_guesses([[words, signs]])

    assert (worded.text, worded.exact) == ("the “harbour” office", True)
    assert not guessed.exact


def test_codes_of_tex_are_known_by_their_ligatures_and_by_all_that_a_document_has_in_the_font() -> None:
    texts = {"F8": "the office of\x0cce", "F9": "Pilot\x7b page"}
    [[worded]] = without_guesses([[span_of("\x5c1880{1890'", "F9")]], texts)
    assert (worded.text, worded.exact) == ("“1880–1890’", True)

    [[worded]] = without_guesses([[span_of("\x10the o\x1ece\x11 \x15 here", "F8")]])
    assert worded.text == "“the office” – here"

    [[worded]] = without_guesses([[span_of("the harbour o\x0ece of \x01\x08\x07\t and of \x02", "F8")]])
    assert worded.text == "the harbour office of 1879 and of 2"

    [[coded]] = without_guesses([[span_of("-f '%.3f' {x|y}", "F2")]], {"F2": "-f '%.3f' {x|y}"}, {"F2"})
    assert (coded.text, coded.exact) == ("-f '%.3f' {x|y}", True)


def test_letters_all_of_one_height_are_small_capitals() -> None:
    assert has_small_capitals({**dict.fromkeys("acenosdlk", 5.0), "A": 7.0})
    assert not has_small_capitals(dict.fromkeys("acenosdlk", 5.0))
    assert not has_small_capitals({**dict.fromkeys("acenos", 4.4), **dict.fromkeys("dlk", 7.0)})
    assert not has_small_capitals({"a": 5.0, "d": 5.0})
    assert not has_small_capitals(dict.fromkeys("acenosdlkAB", 5.0))


@pytest.mark.parametrize(
    ("word", "width", "parts"),
    [
        ("ruin.1", 0.3, ["ruin.", "1"]),
        ("class²⁵.", 0.5, ["class", "²⁵", "."]),
        ("12This", 0.3, ["12", "This"]),
        ("BM25", 0.5, ["BM25"]),
        ("x²", 0.3, ["x²"]),
    ],
)
def test_figures_that_a_font_raises_by_itself_are_parted_from_their_word(word: str, width: float, parts: list[str]) -> None:
    chars = [{"c": letter, "bbox": (0, 0, width * 10, 10)} for letter in word]
    whole = re.fullmatch(".*", word)

    assert whole
    assert [word[start:end] for start, end, _ in parts_of_word(chars, whole, 10)] == parts


@pytest.mark.parametrize(
    ("text", "exact"), [("∣\u0304", False), ("\u0304y", False), ("X\u0304", True), ("=\u0338", True), ("5\ufffd", False)]
)
def test_an_accent_on_no_letter_is_not_what_is_printed(text: str, exact: bool) -> None:
    assert (NOT_EXACT.search(text) is None) is exact


def test_fonts_of_tex_say_in_their_own_way_that_they_are_bold() -> None:
    bold = ["CMBX12", "CMSSBX10", "SFSX1000", "NimbusRomNo9L-Medi"]

    assert [font for font in [*bold, "CMR10", "CMBSY10"] if style_of(font, 10, 0, 0).bold] == bold


@pytest.mark.parametrize(
    ("text", "font", "shown"),
    [
        ("§ ü", "Wingdings-Regular", "▪ ✓"),
        ("\uf071 ´ m", "Symbol", "θ × μ"),
        *((text, font, text) for text, font in (("∈ F", "CMSY10"), ("♥ ➢", "ZapfDingbats"), ("⇧ 2", "Arial"), ("2", "Symbol"))),
        *((text, font, "\ufffd") for text, font in (("2", "CMSY10"), ("⇥", "CMR10"), ("™", "Dingbats"), ("Q", "Wingdings"))),
    ],
)
def test_a_font_of_signs_prints_no_letters(text: str, font: str, shown: str) -> None:
    assert [span.text for span in with_signs([span_of(text, font)])] == [shown]


def test_a_font_of_text_with_codes_of_signs_prints_the_letters_that_make_words() -> None:
    for text, shown in (("\uf050lanets\uf020move", "Planets move"), ("\uf06c", "\uf06c")):
        assert [span.text for spans in in_letters([[span_of(text, "Bookman")]]) for span in spans] == [shown]


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
    spans = [span_of(first, fonts[0]), span_of("the boats", fonts[1])]

    assert [span.text for span in with_signs(spans)] == [bullet, "the boats"]
    assert [span.text for span in with_signs(spans[:1])] == ["○" if first == "o" and fonts[0] != "Calibri" else first]
