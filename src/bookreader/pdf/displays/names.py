"""Names that stand in bold in the line of the text that they name: of tasks, theorems, numbered sections. They become lines of
their own, so that a sentence is quoted without them. Also the numbers of chapters and sections, as they are written before
their titles."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace

from bookreader.numerals import from_roman
from bookreader.pdf.flow import FlowLine
from bookreader.pdf.model import line_of
from bookreader.pdf.words import first_word, frequency, last_word

LONGEST_NAME = 12  # words of a name in the line of the text that it names
OPENING = "“„«‘'\"(["
NUMBERS = re.compile(r"\d+(?:\.\d+)+\.?$")


def part_labels(flow: Sequence[FlowLine]) -> list[FlowLine]:
    """The flow with lines of their own for names set in bold before the text that follows in the line: of tasks ("Task 2."), of
    theorems ("Theorem 2 (Euler)."), and of numbered sections ("2.1. The Sum.")."""
    return [piece for each in flow for piece in labelled(each)]


def labelled(each: FlowLine) -> Iterable[FlowLine]:
    """The pieces of one line."""
    tokens = each.line.tokens
    end = next((i for i, token in enumerate(tokens) if not token.style.bold), 0)
    worded = any(len(token.text) > 2 and token.text[0].isalpha() for token in tokens[:end])
    if not 0 < end <= LONGEST_NAME or not worded or tokens[end].glued or tokens[end - 1].text[-1] != ".":
        return (each,)
    if not tokens[end].text.lstrip(OPENING)[:1].isupper():
        return (each,)
    name = piece_of(each, 0, end)
    return replace(name, goes_on=False, is_label=not NUMBERS.match(tokens[0].text)), piece_of(each, end, len(tokens))


def piece_of(each: FlowLine, start: int, end: int) -> FlowLine:
    """Tokens [start, end) of a line as a line of its own, at the edge where the whole line begins."""
    whole = replace(line_of(each.page, each.line.tokens[start:end], each.line.baseline), x0=each.line.x0)
    above, below = each.above if start == 0 else BROKEN, each.below if end == len(each.line.tokens) else BROKEN
    return replace(each, line=whole, above=above, below=below, goes_on=False)


BROKEN = 2.0  # × the leading: as if the pieces stood so far apart


ORDINALS = (
    "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen "
    "nineteen twenty first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth "
    "fifteenth sixteenth seventeenth eighteenth nineteenth twentieth last"
)

CALLED_CHAPTER = r"(?:chapter|chap\.?|kapitel|kap\.|chapitre|cap[ií]tulo|capitolo|hoofdstuk)"
DIVISION = (
    rf"(?:{CALLED_CHAPTER}|book|part|section|lecture|letter|essay|appendix|volume|vol\.|canto|act|scene|unit|lesson|module"
    r"|article|discourse|dialogue|sermon|meditation|schedule|annex|teil|abschnitt|anhang|vorlesung"
    r"|lektion|partie)"
)
NUMERAL = rf"(?:\d+(?:\.\d+)*|[ivxlcdm]+|[a-z]|(?:the\s+)?(?:twenty-)?(?:{'|'.join(ORDINALS.split())}))"

NUMBERED = re.compile(
    rf"^(?P<number>{DIVISION}(?:\s+{NUMERAL}|\d+)|(?:\d+|[A-Z](?=\.\d))(?:\.\d+)*|[IVXLCDM]+)[.:)—–-]*(?:\s+(?P<title>\S.*))?$",
    re.IGNORECASE,
)

DIVISION_ONLY = re.compile(rf"^{DIVISION}(?:\s+{NUMERAL}|\d+)\W*$", re.IGNORECASE)
CHAPTER_WORD = re.compile(rf"^{DIVISION}\s*(?={NUMERAL}\b)", re.IGNORECASE)
APPENDIX = re.compile(r"^(?:appendix|annex|schedule|anhang)\b", re.IGNORECASE)
GLUED_NUMBER = re.compile(r"^([a-z]{4,})(\d+)$", re.IGNORECASE)  # "Chapter2", where the type is too tight for a blank
ORNAMENTS = " ❧❦☙•·*~—–§¶◆◇■□●○★☆✦✧❖"


def bare_number(text: str) -> bool:
    """A number standing alone, as chapters without titles have."""
    bare = text.strip(" .—–-[]()")
    return bare.isdigit() or (bare.isupper() and from_roman(bare.lower()) > 0)


def joined(lines: Sequence[str]) -> str:
    """The lines of a heading as one; a word broken at a line's end is joined ("Situ-" + "ation", "Self-" + "Reliance")."""
    text = ""
    for line in lines:
        if text[-1:] in ("-", "\u2010") and text[-2:-1].isalpha():
            whole = last_word(text[:-1]) + first_word(line)
            text = (text[:-1] if frequency(whole.casefold()) and line[:1].islower() else text) + line
        else:
            text = f"{text} {line}"
    return text.strip()


def part_number(lines: Sequence[str]) -> tuple[str | None, str | None]:
    """("II", "Of the Liberty of Thought"): number and title of a heading's lines; the number as printed, without its stop."""
    text = joined(lines).strip(ORNAMENTS)
    found = NUMBERED.match(text)
    if not found or not is_number_part(found):
        return None, text
    return GLUED_NUMBER.sub(r"\1 \2", found["number"].strip()), (found["title"] or "").strip(" .:—–-•■·") or None


def is_number_part(found: re.Match[str]) -> bool:
    """Whether a word is a chapter's number. Roman numbers must be valid and in capitals: "I Introductory", but not "Mix of …"
    or "I think"; so must letters: "A.1"."""
    number = found["number"].split()[-1].rstrip(".")
    if len(found["number"].split()) > 1 or number[-1].isdigit():
        return len(found["number"].split()) > 1 or not (number[0].islower() and number[1:2] == ".")
    return number.isupper() and from_roman(number.lower()) > 0


def chapter_name(number: str | None, title: str | None) -> tuple[str | None, str | None]:
    """Number and title of a chapter without the words that only say that it is one: ("CHAPTER XVI", None) → ("XVI", None). An
    appendix keeps its word: ("APPENDIX A", None) → ("Appendix A", None)."""
    inner, rest = part_number((title,)) if title else (None, None)
    if inner and CHAPTER_WORD.match(inner) and bare_name(inner) == bare_name(number or inner):
        number, title = number or inner, rest
    if number and (appendix := APPENDIX.match(number)):
        return f"{appendix[0].capitalize()}{number[appendix.end() :]}", title
    return (CHAPTER_WORD.sub("", number).strip() if number else None), title


def bare_name(number: str) -> str:
    """A number without the word before it, in small letters."""
    return CHAPTER_WORD.sub("", number).strip().casefold()


def number_value(number: str | None) -> int:
    """The value of "12" and "XII", also after a word ("Chapter 12"); 0 for any other number."""
    bare = bare_name(number).strip(" .—–-[]()") if number else ""
    return int(bare) if bare.isdecimal() else from_roman(bare)


CHAPTER_WORDS = frozenset("chapter chap. chap kapitel chapitre lecture lesson letter essay discourse sermon canto".split())  # noqa: SIM905 - a list of words

GROUP_WORDS = frozenset("book part volume vol. act unit module teil partie".split())  # noqa: SIM905


def division_word(number: str | None) -> str:
    """The word before a number, in small letters: "chapter" of "Chapter V"; empty if there is none."""
    found = CHAPTER_WORD.match(number or "")
    return found[0].casefold().strip() if found else ""
