"""Characters as PyMuPDF's dictionaries, in spans of one style, and what is put right in them: accents set apart from their
letters, ligatures by their codes, letters of mathematics by their fonts, signs for which a file saved anew gives letters. Also
Unicode's forms of raised and lowered characters.

A character has "c", its letter; "bbox", its box; "origin", its place on the baseline; "synthetic", whether MuPDF made it from a
gap. A span has its characters and its text, letter by letter; an index counts in both."""

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import pairwise
from statistics import median
from typing import Any, NamedTuple, Self
from unicodedata import category, normalize

from bookreader.pdf.model import TextStyle

UNKNOWN = "\ufffd"  # a glyph without Unicode
STYLES = 1024  # cached: far more than a book has

RAISED: Mapping[str, str] = dict(
    zip(
        "0123456789+-−–=()abcdefghijklmnoprstuvwxyzABDEGHIJKLMNOPRTUVWαβγδεθφχ",
        "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁻⁼⁽⁾ᵃᵇᶜᵈᵉᶠᵍʰⁱʲᵏˡᵐⁿᵒᵖʳˢᵗᵘᵛʷˣʸᶻᴬᴮᴰᴱᴳᴴᴵᴶᴷᴸᴹᴺᴼᴾᴿᵀᵁⱽᵂᵅᵝᵞᵟᵋᶿᵠᵡ",
        strict=True,
    )
)
LOWERED: Mapping[str, str] = dict(
    zip("0123456789+-−–=()aehijklmnoprstuvxβγρφχ", "₀₁₂₃₄₅₆₇₈₉₊₋₋₋₌₍₎ₐₑₕᵢⱼₖₗₘₙₒₚᵣₛₜᵤᵥₓᵦᵧᵨᵩᵪ", strict=True)
)
HIGH = frozenset("′″‴°*∗†‡§¶®™©℠’”\"'`´ªº^¨ˆ˜~")  # stand high in themselves
SIGNS: Mapping[str, str] = {"TM": "™", "SM": "℠", "◦": "°", "∘": "°"}
ORDINAL = re.compile(r"st|nd|rd|th|ST|ND|RD|TH")

COMBINING: Mapping[str, str] = dict(
    zip(
        "´`¨ˆ^˜~˚˝ˇ˘¯ˉ˙¸˛",
        "\u0301\u0300\u0308\u0302\u0302\u0303\u0303\u030a\u030b\u030c\u0306\u0304\u0304\u0307\u0327\u0328",
        strict=True,
    )
)
CIRCLE = "\u20dd"
CIRCLED: Mapping[str, str] = {"c": "©", "C": "©", "r": "®", "R": "®"}
DOTLESS: Mapping[str, str] = {"ı": "i", "ȷ": "j"}
ACCENTS = re.compile(f"[{re.escape(''.join(COMBINING))}\u0300-\u036f\u20d0-\u20ff]")

PRIVATE: Mapping[str, str] = {  # bullets of TeX and Word; Adobe's old-style figures and small capitals
    **dict(zip("\x88\uf0b7\uf0a7\uf0d8\uf0fc\uf0e0\uf076", "••▪➢✓→❖", strict=True)),
    **{chr(0xF730 + digit): str(digit) for digit in range(10)},
    **{chr(0xF761 + i): chr(ord("a") + i) for i in range(26)},
}
SUMS = frozenset("∮⨀⨁⨂∑∏∫⋃⋂⨄⋀⋁∐")
NO_MAPPING: Mapping[str, str] = {}
MATHS_FONT = re.compile(r"math|mi[ab]?\d*$|stix|xits", re.IGNORECASE)
OWN_FORMS = ((0x1D49C, 0x1D537), (0x1D538, 0x1D56B), (0x1D56C, 0x1D59F))  # script, Fraktur, double-struck
Char = dict[str, Any]
BOLD, ITALIC = 16, 2  # MuPDF's span flags
BOLD_NAME = re.compile(  # fonts of TeX and URW say it in their own way
    r"(?i:bold|heavy|black(?!b))|(?:Medi|Demi)(?:Ital|Obli)?$|\.BI?$|^(?:CM|SF|EC)(?:SS)?(?:BX|SX|B|BI|BL|XC)(?:TI|SL)?\d+$"
)
CONTROL = "\x00-\x08\x0b-\x1f\x7f-\x9f"
ODD = re.compile(
    f"{ACCENTS.pattern}|[{CONTROL}\ue000-\uf8ff\u210e\ud400-\udfff\uffff\U0001d400-\U0001d7ff]"
)  # something may be put right here
LIGATURES = {"\x0b": "ff", "\x0c": "fi", "\r": "fl", "\x0e": "ffi", "\x0f": "ffl"}  # TeX's codes, in fonts without names
NOT_EXACT = re.compile(  # unknown, only a part of a sign that is drawn, or an accent that is on no letter
    f"[{UNKNOWN}\ue000-\uf8ff√∛∜⎛-⎳]|(?:^|(?<=[^\\w\u0300-\u036f]))[\u0300-\u0337\u0339-\u036f]"
)
OVER = 0.3  # × the letter's width, and
SLANT = 0.05  # × its height: so far apart the middles of a letter and its accent may be
TEX = re.compile(r"(?:CM|cm|MS[AB]M|SF|LM)[A-Z]*")
SMALL_CAPITALS = "CSC"
SMALL_CAPITALS_FONT = re.compile(r"CSC\d*$|caps\d*(?:-|$)|small-?cap|-SC\b|SC\d+$|-smal$|-small-c", re.IGNORECASE)
has_capitals = lru_cache(STYLES)(lambda font: SMALL_CAPITALS_FONT.search(font) is not None)
UNNAMED = re.compile(r"(?:[A-Z]{1,2}[a-z]?\d{0,4})?|Type3 \(.*")  # fonts made of pictures have at most a number
WORDS = re.compile(r"[^\W\d_]{3,}")
WINDOWS = {chr(0xF000 + code): chr(code) for code in range(0x20, 0x7F)}  # as Windows numbers the letters of a font of signs
OWN_CODES = '"\\{|}<>^_~' + "".join(map(chr, range(0x20)))
TEX_CODES = (
    LIGATURES
    | {"'": "’", "`": "‘"}
    | dict(
        zip(
            '"\\{|}<>^_~\x10\x11\x12\x13\x14\x15\x16\x17\x18\x19\x1a\x1b\x1c\x1d\x1e\x1f\x7f',
            "”“–—˝¡¿ˆ˙˜ıȷ`´ˇ˘¯˚¸ßæœøÆŒØ¨",
            strict=True,
        )
    )
)
NEWER_CODES = {  # TeX's encoding with accented letters (T1)
    **dict(zip("\x10\x11\x12\x13\x14\x15\x16", "“”„«»–—", strict=True)),
    **dict(zip("\x1b\x1c\x1d\x1e\x1f", ("ff", "fi", "fl", "ffi", "ffl"), strict=True)),
}
DIGITS = dict(zip("\x01\x02\x03\x04\x05\x06\x07\x08\t", "123456789", strict=True))
"""Where a font names the glyphs of its digits "1" to "9", MuPDF takes the names for codes."""
is_unnamed = lru_cache(STYLES)(lambda font: UNNAMED.fullmatch(font) is not None)
FEW_SHAPES, AS_HIGH = 4, 0.93  # so many letters are compared, and so high are small capitals of another shape
ENOUGH, MOSTLY = 20, 0.8  # so many letters tell whether a font is fixed, and such a share of them is at one distance
NARROW = 0.4  # em: figures of text are wider than those that a font has for the calls of notes
SUPERSCRIPTS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹", "0123456789")
FIGURES = re.compile(
    r"(?P<word>.*[^\W\d_⁰¹²³⁴-⁹]{2}[.,;:!?”’)]*?)(?P<call>(?:\d|[⁰¹²³⁴-⁹]){1,3})(?P<stop>[.,;:!?”’)]*)"
    r"|(?P<mark>(?:\d|[⁰¹²³⁴-⁹]){1,3})[^\W\d_⁰¹²³⁴-⁹].*"
)
LARGE_SIGNS = re.compile(r"\w*(?<!T)EX\d|\w*(?<!t)ex\d")  # fonts of large brackets, sums, roots; CMTEX10 has text
SIGNS_FONT = re.compile(
    r"(?P<bullets>wingdings|webdings)|(?P<pictures>(?:zapf)?dingbats)|(?P<maths>c?mb?sy\d|.*-symbol|.*-sy$)"
    r"|(?P<letters>cm[a-z]+\d|mathdesign|lm(?:roman|math))|(?P<greek>symbol)"
)
has_signs = lru_cache(STYLES)(lambda font: SIGNS_FONT.match(font.lower()))
NO_SIGN: Mapping[str, re.Pattern[str]] = {  # what a font of signs has no letter for: there the file gives codes for signs
    "bullets": re.compile(r"[!-ÿ]"),
    "pictures": re.compile("[!-\u218f]"),
    "maths": re.compile("[0-9a-z^_\u21e0-\u21ea]"),
    "letters": re.compile("[\u21e0-\u21ea]"),  # as Apple's Quartz writes TeX's letters and signs
    "greek": re.compile(r"""[A-Za-z"$'@\\^`~¡-¨ª«\xad¯²-´¶-ÖØ-öø-þ\uf021-\uf0fe]"""),
}
GREEK: Mapping[str, str] = dict(  # Adobe's font Symbol by its codes
    zip(
        map(chr, (*range(0xF021, 0xF07F), *range(0xF0A1, 0xF0E6), *range(0xF0F1, 0xF0F4))),
        "!∀#∃%&∋()∗+,−./0123456789:;<=>?≅ΑΒΧΔΕΦΓΗΙϑΚΛΜΝΟΠΘΡΣΤΥςΩΞΨΖ[∴]⊥_‾αβχδεφγηιϕκλμνοπθρστυϖωξψζ{|}∼"
        "ϒ′≤⁄∞ƒ♣♦♥♠↔←↑→↓°±″≥×∝∂•÷≠≡≈…⏐⎯↵ℵℑℜ℘⊗⊕∅∩∪⊃⊇⊄⊂⊆∈∉∠∇®©™∏√⋅¬∧∨⇔⇐⇑⇒⇓◊⟨®©™∑⟩∫⌠",
        strict=True,
    )
)
TYPED_BULLET = re.compile(r"courier", re.IGNORECASE)  # Word's second bullet is its letter "o"


def alphabet(first: int, exceptions: str) -> Mapping[str, str]:
    """The capitals of a mathematical alphabet. first: code point of its A; exceptions: "Cℂ…", those with older ones."""
    own = {chr(65 + i): chr(first + i) for i in range(26)}
    return own | dict(zip(exceptions[::2], exceptions[1::2], strict=True))


MATHS_CAPITALS: Mapping[re.Pattern[str], Mapping[str, str]] = {  # fonts of TeX whose capitals are these letters
    re.compile(r"MSBM|msbm|BBOLD|bbold|DSROM|dsrom"): alphabet(0x1D538, "CℂHℍNℕPℙQℚRℝZℤ"),
    re.compile(r"CMB?SY\d|cmb?sy\d|RSFS|rsfs|EUS|eus|Boondox|BOONDOX"): alphabet(0x1D49C, "BℬEℰFℱHℋIℐLℒMℳRℛ"),
    re.compile(r"EUF|euf"): alphabet(0x1D504, "CℭHℌIℑRℜZℨ"),
}


@lru_cache(STYLES)
def capitals_of(font: str) -> Mapping[str, str]:
    """The letters that a font's capitals are; empty for a font of text. font: its name without the subset's prefix."""
    return next((letters for name, letters in MATHS_CAPITALS.items() if name.match(font)), NO_MAPPING)


def plain(letter: str, font: str) -> str:
    """A mathematical letter in italics, bold or sans serif as a common letter ("𝑥" is "x"), others unchanged.

    MuPDF writes such a letter with a code point too small by 0x10000 where the font maps it by surrogates."""
    if letter == "ℎ":
        return "h"
    code = ord(letter)
    if 0xD400 <= code <= 0xD7FF and MATHS_FONT.search(font):
        code += 0x10000
    if not 0x1D400 <= code <= 0x1D7FF or any(first <= code <= last for first, last in OWN_FORMS):
        return chr(code)
    return normalize("NFKC", chr(code))


def is_unreadable(letter: str) -> bool:
    """Whether a character is no text: unknown, private or a control character."""
    return letter == UNKNOWN or category(letter) in ("Co", "Cc", "Cn", "Cs")


def raised_form(text: str, before: str) -> str | None:
    """The text of a raised run ("²", "ᵐᵉ"); None if Unicode has none for a part of it. before: the text it is glued to.

    Ordinals stay plain ("19th"), as do signs that stand high in themselves ("′", "*")."""
    if text in SIGNS and (text in ("TM", "SM") or before[-1:].isdigit()):
        return SIGNS[text]
    if before[-1:].isdigit() and ORDINAL.fullmatch(text.rstrip(".,")):
        return text
    return shifted(text, RAISED)


def lowered_form(text: str) -> str | None:
    """The text of a lowered run ("₂", "ₙ"); None if Unicode has none for a part of it."""
    return shifted(text, LOWERED)


def shifted(text: str, forms: Mapping[str, str]) -> str | None:
    """The characters in another form, those that stand high in themselves unchanged; None if one has no such form."""
    found = [forms.get(letter, letter if letter in HIGH and forms is RAISED else "") for letter in text]
    return "".join(found) if all(found) else None


def accented(letter: str, accent: str) -> str:
    """A letter with its accent, one character if Unicode has one. accent: spacing or combining."""
    mark = COMBINING.get(accent, accent)
    if mark == CIRCLE and letter in CIRCLED:
        return CIRCLED[letter]
    return normalize("NFC", DOTLESS.get(letter, letter) + mark)


class Span(NamedTuple):
    """A run of characters in one style. text: one letter each. baseline, y0, y1: of its last character, because MuPDF gives a
    blank after a superscript the height of the superscript. exact: whether the text is all that is printed."""

    chars: Sequence[Char]
    text: str
    style: TextStyle
    size: float
    baseline: float
    y0: float
    y1: float
    exact: bool = True

    @classmethod
    def of(cls, raw: dict[str, Any]) -> Self:
        """MuPDF's own span, which holds at least one character."""
        chars = raw["chars"]
        style = style_of(raw["font"], raw["size"], raw["flags"], raw["color"])
        _, y0, _, y1 = chars[-1]["bbox"]
        return cls(chars, text_of(chars), style, raw["size"], chars[-1]["origin"][1], y0, y1)

    def with_chars(self, chars: Sequence[Char]) -> "Span":
        """The span with other characters."""
        return self._replace(chars=chars, text=text_of(chars))


def text_of(chars: Sequence[Char]) -> str:
    """The characters as text, one letter each."""
    return "".join([char["c"] for char in chars])


@lru_cache(STYLES)
def style_of(font: str, size: float, flags: int, color: int) -> TextStyle:
    """A span's style; the font's subset prefix ("ABCDEF+") is dropped."""
    name = font.rpartition("+")[2]
    bold = bool(flags & BOLD) or bool(BOLD_NAME.search(name))
    italic = bool(flags & ITALIC) or "italic" in name.lower() or "oblique" in name.lower()
    return TextStyle(name, round(size, 1), bold, italic, color)


def put_right(spans: list[Span]) -> list[Span]:
    """The spans of a line with accents on their letters, and with letters for codes and fonts that stand for letters."""
    spans = [shown_by(span, letters) if (letters := capitals_of(span.style.font)) else span for span in spans]
    if not ODD.search("".join([span.text for span in spans])):
        return spans
    coded = [span.with_chars(list(decoded(span))) if ODD.search(span.text) else span for span in spans]
    return with_accents(coded) if any(ACCENTS.search(span.text) for span in coded) else coded


def in_letters(lines: Sequence[list[Span]]) -> Sequence[list[Span]]:
    """The lines of a page, with letters where a font of text gives codes as one of signs does: they make words then."""
    texts: dict[str, str] = {}
    for span in (span for spans in lines for span in spans if "\uf020" < max(span.text) < "\uf07f"):
        texts[span.style.font] = f"{texts.get(span.style.font, '')} {shown_by(span, WINDOWS).text}"
    of_text = {font for font, text in texts.items() if not has_signs(font) and is_worded(text)}
    return [[shown_by(span, WINDOWS) if span.style.font in of_text else span for span in spans] for spans in lines]


def is_worded(text: str) -> bool:
    """Whether most of a text is in words."""
    return 2 * sum(map(len, WORDS.findall(text))) >= len("".join(text.split()))


def shown_by(span: Span, signs: Mapping[str, str]) -> Span:
    """The span with other characters for its own."""
    return span.with_chars([{**char, "c": signs.get(char["c"], char["c"])} for char in span.chars])


def without_guesses(
    lines: Sequence[list[Span]], texts: Mapping[str, str] = NO_MAPPING, fixed: Collection[str] = ()
) -> Sequence[list[Span]]:
    """The lines of a page, in which fonts made of pictures count: their codes are those of letters only where they make words,
    or where all letters are equally wide.

    TeX's codes of quotation marks, dashes and accents are known by its ligatures; what is not known is not exact. texts: of
    such fonts, all that the document has in them; fixed: those with letters of one width."""
    unnamed = {span.style.font for spans in lines for span in spans if is_unnamed(span.style.font)}
    if not unnamed:
        return lines
    own = {font: "".join([s.text for spans in lines for s in spans if s.style.font == font]) for font in unnamed - texts.keys()}
    codes = codes_of_pictures({**texts, **own}, fixed)
    return [[known(span, codes) if span.style.font in unnamed else span for span in spans] for spans in lines]


def codes_of_pictures(texts: Mapping[str, str], fixed: Collection[str]) -> dict[str, Mapping[str, str] | None]:
    """For each font made of pictures, what its codes stand for other than themselves; None where only words are certain. A font
    that is no font of text is left out. texts, fixed: as in `without_guesses`."""
    worded = {font for font, text in texts.items() if is_worded(text)}
    of_tex = any(not LIGATURES.keys().isdisjoint(texts[font]) for font in worded)
    newer = sum(text.count(code) for text in texts.values() for code in "\x1b\x1c\x1d\x1e\x1f")
    older = sum(text.count(code) for text in texts.values() for code in LIGATURES)
    signs = NEWER_CODES if newer > older else TEX_CODES if of_tex else None
    found: dict[str, Mapping[str, str] | None] = {}
    for font in worded | (set(fixed) & texts.keys()):
        digits = {} if any(digit in texts[font] for digit in "123456789") else DIGITS
        if font in fixed:
            found[font] = {" ": "\u2423", **digits} if signs else digits
        else:
            found[font] = {**signs, **digits} if signs else None
    return found


def known(span: Span, codes: Mapping[str, Mapping[str, str] | None]) -> Span:
    """A span in a font made of pictures, with letters where they are known."""
    font = span.style.font
    letters = codes.get(font)
    if letters is not None:
        read = ([c] if c["synthetic"] else spelled(c, letters.get(c["c"], c["c"])) for c in span.chars)  # a gap stays
        return span.with_chars([each for part in read for each in part])
    trusted = font in codes and not any(letter in OWN_CODES for letter in span.text)
    signs = all(letter in PRIVATE or letter >= "\xa0" for letter in span.text if not letter.isspace())
    return span._replace(exact=trusted or signs)  # the fonts of formulas have no codes above 127


def has_small_capitals(heights: Mapping[str, float]) -> bool:
    """Whether letters such as "a" are as high as letters such as "d", and capitals higher: where all letters are equally high,
    or there are no capitals, the file does not tell. heights: of one glyph of each character."""
    low, high = ([heights[letter] for letter in letters if letter in heights] for letters in ("acemnorsuvwxz", "bdhkl"))
    capitals = [height for letter, height in heights.items() if letter.isupper()]
    alike = len(low) >= FEW_SHAPES and len(high) > 1 and median(low) > AS_HIGH * median(high) > 0
    return alike and bool(capitals) and AS_HIGH * median(capitals) > median(low)


def is_fixed(steps: Counter[float]) -> bool:
    """Whether letters follow each other at one distance. steps: distances with their frequency."""
    (commonest, _), *_ = steps.most_common(1) or [(0.0, 0)]
    same = sum(n for step, n in steps.items() if abs(step - commonest) <= 0.1)
    return steps.total() >= ENOUGH and same >= MOSTLY * steps.total()


def in_small_capitals(span: Span) -> Span:
    """The span with a name of its font that says so."""
    return span._replace(style=span.style._replace(font=f"{span.style.font} {SMALL_CAPITALS}"))


def decoded(span: Span) -> Iterator[Char]:
    """The characters with ligatures and private letters as letters; other codes that are no text are U+FFFD."""
    chars, font = span.chars, span.style.font
    for i, char in enumerate(chars):
        letter = plain(char["c"], font)
        if letter in LIGATURES and any(each["c"].isalpha() for each in chars[max(0, i - 1) : i + 2]):
            letter = LIGATURES[letter]
        elif letter in PRIVATE:
            letter = PRIVATE[letter]
        elif letter not in "\t\n\r" and is_unreadable(letter):
            letter = UNKNOWN
        yield from spelled(char, letter)


def spelled(char: Char, text: str) -> Iterable[Char]:
    """A character as another one, or as several, each with its share of the width."""
    if text == char["c"]:
        return [char]
    x0, y0, x1, y1 = char["bbox"]
    step = (x1 - x0) / len(text)
    return [{**char, "c": c, "bbox": (x0 + i * step, y0, x0 + (i + 1) * step, y1)} for i, c in enumerate(text)]


def with_accents(spans: Sequence[Span]) -> list[Span]:
    """The spans of a line with each accent on the letter above or below which it is printed."""
    chars = [char for span in spans for char in span.chars]
    fonts = [span.style.font for span in spans for _ in span.chars]
    letters = {i: letter for i in range(len(chars)) if (letter := letter_of(chars, i, fonts[i])) is not None}
    changed: dict[int, str] = {letter: accented(chars[letter]["c"], chars[i]["c"]) for i, letter in letters.items()}
    gone = {*letters, *(i for pair in letters.items() for i in range(min(pair) + 1, max(pair)))}  # and gaps between them
    out, start = [], 0
    for span in spans:
        places = range(start, start + len(span.chars))
        start += len(span.chars)
        own = [each for i in places if i not in gone for each in spelled(chars[i], changed.get(i) or chars[i]["c"])]
        if own:
            out.append(span.with_chars(own))
    return out


def letter_of(chars: Sequence[Char], i: int, font: str) -> int | None:
    """The index of the letter that bears accent i; None if character i is no accent or stands alone.

    A combining accent belongs to the letter before it, in TeX's fonts to the one after it."""
    accent = chars[i]["c"]
    if not ACCENTS.match(accent):
        return None
    near = [j for j in (i + 1, i - 1, i + 2, i - 2) if 0 <= j < len(chars) and is_next_to(chars, i, j)]
    if category(accent) in ("Mn", "Me"):  # Unicode's combining marks, without width
        after = TEX.match(font) is not None and accent != CIRCLE
        return next((j for j in near if (j > i) is after), None)
    over = [j for j in near if chars[j]["c"].isalpha() and stands_over(chars[i], chars[j])]
    return min(over, key=lambda j: abs(offset(chars[i], chars[j])), default=None)


def is_next_to(chars: Sequence[Char], i: int, j: int) -> bool:
    """Whether character j is a letter or sign with nothing but a gap of MuPDF's between it and character i."""
    between = chars[min(i, j) + 1 : max(i, j)]
    return not chars[j]["c"].isspace() and not ACCENTS.match(chars[j]["c"]) and all(char["synthetic"] for char in between)


def stands_over(accent: Char, letter: Char) -> bool:
    """Whether the accent is in the middle of the letter's box, or as far from it as an italic's slant explains."""
    x0, y0, x1, y1 = letter["bbox"]
    inside = min(x1, accent["bbox"][2]) - max(x0, accent["bbox"][0])
    narrow = min(x1 - x0, accent["bbox"][2] - accent["bbox"][0])
    return bool(abs(offset(accent, letter)) <= OVER * (x1 - x0) + SLANT * (y1 - y0) and inside >= 0.4 * narrow)


def offset(accent: Char, letter: Char) -> float:
    """Points by which the middle of an accent is right of its letter's middle."""
    return float((accent["bbox"][0] + accent["bbox"][2] - letter["bbox"][0] - letter["bbox"][2]) / 2)


def parts_of_word(chars: Sequence[Char], word: re.Match[str], size: float) -> Iterator[tuple[int, int, bool]]:
    """[start, end) of a word's parts, and whether each is a note's number: narrow or superscript figures beside letters."""
    start, end = word.span()
    found = FIGURES.fullmatch(word[0])
    first, last = (start + at for at in found.span("call" if found["call"] else "mark")) if found else (end, end)
    if any(chars[i]["c"].isdecimal() and width_of(chars[i]) >= NARROW * size for i in range(first, last)):
        first = last = end
    ends = (start, False), (first, True), (last, False), (end, False)
    yield from ((at, after, is_call) for (at, is_call), (after, _) in pairwise(ends) if at < after)


def width_of(char: Char) -> float:
    return float(char["bbox"][2] - char["bbox"][0])


def signed(span: Span) -> Span:
    """The span of a font of signs; codes that the file gives in place of signs are what they are in Word's fonts of bullets and
    in Symbol, else unknown. Symbol's are not exact: programs for formulas set fractions and matrices so."""
    found = has_signs(span.style.font)
    if not found or not found.lastgroup or not NO_SIGN[found.lastgroup].search(span.text):
        return span
    codes = NO_SIGN[found.lastgroup]
    letters = {"bullets": PRIVATE, "greek": GREEK}.get(found.lastgroup, NO_MAPPING)
    signs = {c: letters.get(chr(0xF000 | ord(c)), UNKNOWN) for c in span.text if codes.match(c)}
    return shown_by(span, signs)._replace(exact=span.exact and letters is not GREEK)


def with_signs(spans: list[Span]) -> list[Span]:
    """The spans of a line with what their fonts of signs print; a typewriter's "o" alone, or before another face, a bullet."""
    spans = [signed(span) for span in spans]
    worded = [i for i, span in enumerate(spans) if span.text.strip()]
    if not worded or spans[worded[0]].text.strip() != "o":
        return spans
    first, *words = (spans[i] for i in worded[:2])
    if not TYPED_BULLET.search(first.style.font) or any(TYPED_BULLET.search(each.style.font) for each in words):
        return spans
    bullet = first.with_chars([{**char, "c": "○"} if char["c"] == "o" else char for char in first.chars])
    return [bullet if i == worded[0] else span for i, span in enumerate(spans)]


def with_own_codes(span: Span, codes: Mapping[tuple[float, float], str]) -> Span:
    """The span with the codes that its characters have in the file."""
    return span.with_chars([c if c["synthetic"] else {**c, "c": codes.get(place_of(c), c["c"])} for c in span.chars])


def place_of(char: Char) -> tuple[float, float]:
    """A character's left edge and baseline."""
    return round(char["bbox"][0], 1), round(char["origin"][1], 1)
