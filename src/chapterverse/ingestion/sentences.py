"""One paragraph of a book to its sentences: the hot path of ingestion, and the function inside our spaCy component.

A boundary can only stand after a stop with its closing quotes and brackets, before a blank. Each such place is put to the
rules below in their order; the first that knows, decides. docs/segmentation.md has the comparison with other segmenters."""

import re
from collections.abc import Callable
from typing import NamedTuple

from chapterverse.ingestion.abbreviations import EITHER, NEVER_LAST, OPENERS, ORDINARY, REFERENCES, SPEECH, TIMES

# stop: a run of marks, spaced ones too (". . .", "! ! !"). close: quotes and brackets that end with the sentence, nested ones
# set apart by a (thin) blank too ("’ ”"). call: a note's number or sign ("[12]", "†", a figure glued to the stop).
CANDIDATE = re.compile(
    r"""(?P<stop>[.!?…]+(?:\s[.!?…]+(?!\w))*)
        (?P<close>(?:["'”’»)\]]|\s["'”’»)\]](?=["'”’»)\]\s]|$))*)
        (?P<call>(?:\s?\[\d[\d,\s–-]*\])+(?=\s|$)|[*†‡⁰¹²³⁴-⁹]+|(?:(?<=[^\d\s][.!?])|(?<=[.!?]["”’)]))\d{1,3}(?:[,\s]\d{1,3})*)?+
        (?P<gap>\s+)
        (?=(?P<open>(?:["“‘’'«(\[•¿¡…]|\.{3}(?=\w))*)(?P<next>[^\W_]+|[$£€§])(?P<after>\W{0,2}))""",
    re.VERBOSE,
)
ROMAN_TO_89 = r"(?=[ivxl])(?:xl|l?x{0,4})(?:ix|iv|v?i{0,4})"
ENUMERATOR = re.compile(
    rf"""["“‘'(\[]*(?:(?:art|arts|sec|sect|no|ch|chap|fig|def|prop|ex|rule|step|table|figure|section|chapter|article|book|part)
        \.?\s)?(?:\d{{1,3}}(?:\.\d+)*|{ROMAN_TO_89}|[a-z])""",
    re.VERBOSE | re.IGNORECASE,
)
NUMBERED = re.compile(r"\W{0,2}(?:(\d{1,2})|([a-y]))[.)]")
ITEM = re.compile(r"\((?:[a-z]|[ivx]{1,5}|\d{1,2})\)")
INITIALS = re.compile(r"(?:[^\W\d_a-z]\.[-\s]?)*[^\W\d_a-z]")
DOTTED = re.compile(r"(?:[^\W\d_]{1,3}\.)+[^\W\d_]{1,3}")
ROMAN = re.compile(r"[IVXLCDM]+|[ivxlcdm]+")
NO_VOWEL = re.compile(r"[A-Z]?[b-df-hj-np-tv-xz]+")
ATTRIBUTION = re.compile(rf"(?:I|[A-Z][\w’'-]*\.?(?:\s[A-Z][\w’'-]*\.?){{0,2}})\s(?:{SPEECH})\b")
LETTER_OR_DIGIT = re.compile(r"[^\W_]")


class Candidate(NamedTuple):
    """A stop that may end the sentence that began at `start`; word and before: the two words in front of it, without openers."""

    text: str
    start: int
    stop_at: int
    next_at: int
    stop: str
    close: str
    call: str
    open: str
    next: str
    after: str
    word: str
    before: str

    @property
    def so_far(self) -> str:
        return self.text[self.start : self.stop_at]

    @property
    def spaced(self) -> str:
        """The last two words as one: "i. e" is "i.e"."""
        return self.before + self.word

    @property
    def opener_follows(self) -> bool:
        """A closed-class word follows, and not an initial ("I. Newton")."""
        return self.next in OPENERS and not self.after.startswith(".")


Rule = Callable[[Candidate], bool | None]


def split_sentences(text: str) -> list[tuple[int, int]]:
    """[start, end) of each sentence of one paragraph's text, in order, without surrounding blanks; together they hold every
    character that is not blank. A text without letters is one sentence; an empty one has none."""
    spans: list[tuple[int, int]] = []
    start, last = len(text) - len(text.lstrip()), len(text.rstrip())
    for match in CANDIDATE.finditer(text):
        candidate = _candidate(text, start, match)
        if _numbers_next_item(candidate):
            item = candidate.stop_at - len(candidate.word)
            spans.append((start, len(text[:item].rstrip())))
            start = item
        elif _ends(candidate):
            end, following = _cut(text, start, match)
            spans.append((start, end))
            start = following
    return [*spans, (start, last)] if start < last else spans


def _cut(text: str, start: int, match: re.Match[str]) -> tuple[int, int]:
    """Where the sentence ends and the next begins: after a note's number, but before the "[2]" of a list "[1] … [2] …"."""
    call = match.start("call")
    if text[start] == "[" and call >= 0 and text[call].isspace():
        return call, call + 1
    return match.start("gap"), match.end("gap")


def _candidate(text: str, start: int, match: re.Match[str]) -> Candidate:
    stop, close, call, opening, following, after = match.group("stop", "close", "call", "open", "next", "after")
    words = text[start : match.start()].rsplit(None, 2)
    word = words[-1].rpartition("—")[2].lstrip("([“‘\"'") if words else ""
    before = words[-2] if len(words) > 1 else ""
    return Candidate(text, start, match.start(), match.end(), stop, close, call or "", opening, following, after, word, before)


def _numbers_next_item(c: Candidate) -> bool:
    """ "1. Earth 2. Water", "a. Earth b. Water": the next number of a run-in list begins an item even where no stop ends the last."""
    first = NUMBERED.match(c.text, c.start)
    if not first or first.end() >= c.stop_at:
        return False
    number, letter = first.groups()
    return c.word == (str(int(number) + 1) if number else chr(ord(letter) + 1))


def _ends(candidate: Candidate) -> bool:
    return next(verdict for rule in RULES if (verdict := rule(candidate)) is not None)


def _numbering(c: Candidate) -> bool | None:
    """ "3. The …", "Art. 5. No one …": a number that opens a sentence belongs to it."""
    return False if c.stop_at - c.start < 16 and c.close in ("", ")") and ENUMERATOR.fullmatch(c.so_far) else None


def _numbering_inside(c: Candidate) -> bool | None:
    """ "two heads: 1. The …; 2. The …": a number after a colon or semicolon belongs to what follows."""
    return False if c.before[-1:] in (";", ":") and c.word.isdigit() and len(c.word) < 3 else None


def _glued_number(c: Candidate) -> bool | None:
    """ "p.12 The", "Fig.3 Das": a figure glued to an abbreviation is what it points at, not the number of a note."""
    glued = c.call.isdigit() and not c.close
    return False if glued and (len(c.word) == 1 or c.word in REFERENCES or c.word in NEVER_LAST) else None


def _nothing_said(c: Candidate) -> bool | None:
    """ "… And then", "genius (!) And": marks without a word in front of them end nothing."""
    return False if c.text[c.stop_at - 1] in "([" or not LETTER_OR_DIGIT.search(c.text, c.start, c.stop_at) else None


def _lower_case_follows(c: Candidate) -> bool | None:
    """ "Alas! the day", "“Stop!” he said": the sentence goes on, unless an item of a list or a remark begins: "(b) the …", "(see …)"."""
    if not c.next[0].islower():
        return None
    remark = c.open.startswith("(") and c.stop == "."
    return None if remark or ITEM.match(c.text, c.next_at) else False


def _attribution(c: Candidate) -> bool | None:
    """ "“Who is it?” Tom asked.": who spoke belongs to what was said."""
    asked = c.close and c.close[-1] in "\"'”’" and not c.open and c.stop[-1] in "!?…"
    known = c.next == "I" or c.next not in OPENERS
    return False if asked and known and ATTRIBUTION.match(c.text, c.next_at) else None


def _exclamation_or_question(c: Candidate) -> bool | None:
    return True if "!" in c.stop or "?" in c.stop else None


def _ellipsis(c: Candidate) -> bool | None:
    """Four dots are a stop and an omission; three may also stand for a pause ("I … I think") or words left out."""
    dots = c.stop.count(".") + 3 * c.stop.count("…")
    if dots < 3:
        return None
    if dots > 3:
        return True
    spaced = c.stop_at > 0 and c.text[c.stop_at - 1].isspace()
    return c.next != "I" and (c.opener_follows if spaced else True)


def _bound_to_next(c: Candidate) -> bool | None:
    return False if c.word in NEVER_LAST or c.spaced in NEVER_LAST else None


def _reference(c: Candidate) -> bool | None:
    """ "p. 12", "Fig. A", "chap. IV" go on; "he said no. I think" does not."""
    if c.word not in REFERENCES or c.close:
        return None
    label = ROMAN.fullmatch(c.next) or len(c.next) == 1
    if c.next[0].isdigit() or c.next == "§" or ITEM.match(c.text, c.next_at):
        return False
    if label and not (c.next in "AI" and c.word in ORDINARY):
        return False
    return None if c.word in EITHER else True


def _initial(c: Candidate) -> bool | None:
    """ "J. S. Mill" is a name; "as you and I. These" ends with a pronoun, "under Charles V. This" with a number."""
    if not INITIALS.fullmatch(c.word):
        return None
    next_is_initial = len(c.next) == 1 and c.after.startswith(".")
    if c.word == "I" and c.before.islower() and not next_is_initial:
        return True
    return c.opener_follows


def _number(c: Candidate) -> bool | None:
    """ "in 1850. The" ends; "3s. 6d.", "Plin. 5. 12" and "Act iii. 2" are one reference."""
    if c.word[:1].isdigit() or ROMAN.fullmatch(c.word):
        return not (c.next[0].isdigit() and len(c.word) < 4)
    return None


def _time(c: Candidate) -> bool | None:
    if c.word not in TIMES and c.spaced not in TIMES:
        return None
    return c.opener_follows or (c.next[0].isupper() and len(c.so_far.split()) > 4)


def _abbreviation(c: Candidate) -> bool | None:
    """ "the U.S. The" ends, "the U.S. Senate" does not; a word without a vowel ("Bldgs", "hdqrs") is an abbreviation too."""
    shaped = DOTTED.fullmatch(c.word) or NO_VOWEL.fullmatch(c.word)
    return c.opener_follows if shaped or c.word in EITHER else None


def _plain_word(_: Candidate) -> bool | None:
    return True


RULES: tuple[Rule, ...] = (
    _numbering,
    _numbering_inside,
    _glued_number,
    _nothing_said,
    _lower_case_follows,
    _attribution,
    _exclamation_or_question,
    _ellipsis,
    _bound_to_next,
    _reference,
    _time,
    _initial,
    _number,
    _abbreviation,
    _plain_word,
)
