"""Fonts of signs whose file gives codes of letters in place of the signs ("2" for "∈"), as files do that were saved anew by
another program; and Word's bullets."""

import re
from collections.abc import Mapping
from functools import lru_cache

from bookreader.pdf.characters import DISPLAYED, LARGE, PRIVATE, STYLES, UNKNOWN, Char, Span
from bookreader.pdf.displays.formulas import LARGE_SIGNS

SIGNS_FONT = re.compile(
    r"(?P<bullets>wingdings|webdings)|(?P<pictures>(?:zapf)?dingbats)|(?P<maths>c?mb?sy\d|.*-symbol|.*-sy$)"
    r"|(?P<letters>cm[a-z]+\d|mathdesign|lm(?:roman|math))"
)
has_signs = lru_cache(STYLES)(lambda font: SIGNS_FONT.match(font.lower()))
NO_SIGN: Mapping[str, re.Pattern[str]] = {  # what a font of signs has no letter for: there the file gives codes for signs
    "bullets": re.compile(r"[!-ÿ]"),
    "pictures": re.compile("[!-\u218f]"),
    "maths": re.compile("[0-9a-z^_\u21e0-\u21ea]"),
    "letters": re.compile("[\u21e0-\u21ea]"),  # as Apple's Quartz writes TeX's letters and signs
}
TYPED_BULLET = re.compile(r"courier", re.IGNORECASE)  # Word's second bullet is its letter "o"


def signed(span: Span) -> Span:
    """The span of a font of signs; codes that the file gives in place of signs are the bullets that they are in Word's fonts,
    else unknown."""
    found = has_signs(span.style.font)
    if not found or not found.lastgroup or not NO_SIGN[found.lastgroup].search(span.text):
        return span
    codes = NO_SIGN[found.lastgroup]
    bullets = found.lastgroup == "bullets"
    signs = {c: PRIVATE.get(chr(0xF000 + ord(c)), UNKNOWN) if bullets else UNKNOWN for c in span.text if codes.match(c)}
    return span.with_chars([{**char, "c": signs.get(char["c"], char["c"])} for char in span.chars])


def with_bullet(spans: list[Span]) -> list[Span]:
    """The spans of a line; a typewriter's "o" alone before words in another face is a bullet."""
    worded = [i for i, span in enumerate(spans) if span.text.strip()]
    if len(worded) < 2 or spans[worded[0]].text.strip() != "o":
        return spans
    first, words = spans[worded[0]], spans[worded[1]]
    if not TYPED_BULLET.search(first.style.font) or TYPED_BULLET.search(words.style.font):
        return spans
    bullet = first.with_chars([{**char, "c": "○"} if char["c"] == "o" else char for char in first.chars])
    return [bullet if i == worded[0] else span for i, span in enumerate(spans)]


def with_signs(spans: list[Span]) -> list[Span]:
    """The spans of a line with what their fonts of signs print."""
    return with_bullet([signed(span) for span in spans])


def with_own_codes(span: Span, codes: Mapping[tuple[float, float], str]) -> Span:
    """The span with the codes that its characters have in the file."""
    return span.with_chars([c if c["synthetic"] else {**c, "c": codes.get(place_of(c), c["c"])} for c in span.chars])


def place_of(char: Char) -> tuple[float, float]:
    """A character's left edge and baseline."""
    return round(char["bbox"][0], 1), round(char["origin"][1], 1)


def has_unknown_sign(span: Span) -> bool:
    """Whether a large sign of TeX's is without Unicode."""
    return UNKNOWN in span.text and LARGE_SIGNS.match(span.style.font) is not None


def with_codes(span: Span, codes: Mapping[tuple[float, float], str]) -> Span:
    """The span with its unknown signs by their codes. A displayed sign has limits of its own, so it is not exact."""
    if not has_unknown_sign(span):
        return span
    found = [codes.get(place_of(char), "") if char["c"] == UNKNOWN else "" for char in span.chars]
    chars = [{**char, "c": LARGE[code]} if code else char for char, code in zip(span.chars, found, strict=True)]
    return span.with_chars(chars)._replace(exact=span.exact and DISPLAYED.isdisjoint(found))
