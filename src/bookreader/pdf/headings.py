"""Headings, found by look and position: runs of lines set apart from the text by size, weight, case, colour or place; which of
them can name a part of the book; and their numbers and titles."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

from bookreader.book import Kind
from bookreader.numerals import from_roman
from bookreader.pdf.flow import APART, BULLETS, LARGER, LEADER, FlowLine, body_style
from bookreader.pdf.model import TextStyle, Token, in_groups, text_of
from bookreader.pdf.prose import ATOM, as_printed, first_word, in_words, last_word
from bookreader.pdf.prose import without_calls as without_notes
from bookreader.text.language import frequency
from bookreader.text.sentences import split_sentences

ENDS = ".!?:;…”’\"')]*—"  # what the last line of a paragraph may end in
CLOSERS = "”’\"')]}*"
OPEN_ENDS = ",;—–-\u2010"
SMALLEST = 0.85  # × the body's size: smaller type is that of captions and figures
WIDE = 1.5  # × the leading: lines of a heading in one sentence are no further apart
FLUSH = 1.5  # points from the edge
MAX_LINES = 6
MAX_DISPLAYED = 12  # lines of a heading in large type, as on a small screen's pages
MAX_WORDS = 40
MAX_NUMBER = 200  # of a chapter that has only a number
WRAPPED = 0.25  # of the column: a line that goes on in the next one leaves no more room beside its next word
OPENERS = "“„«‘'\"([{§¿¡"
SYMBOL, SEVERAL = 4, 2  # letters of a name in mathematics, and how many longer words a formula may have
MIN_LETTERS = 3  # of at least one word of a heading: figures are lettered with fewer

ORNAMENT = re.compile(r"^[\W_]+$")
RELATION = re.compile(r"[=<>≤≥≠≈≡∼≃∈∉∋⊂⊃⊆⊇→⇒⇔↦∑∏∫]")
FEW_LETTERS = 0.35  # of a formula's characters, at most, are in words


class Look(NamedTuple):
    """What headings of one level share."""

    size: float
    bold: bool
    italic: bool
    capitals: bool
    color: int
    centred: bool


@dataclass(frozen=True, slots=True)
class PdfHeading:
    """Lines [start, end) of the flow that are a heading. number: "II", "Chapter 2"; number or title may be None."""

    start: int
    end: int
    page: int
    look: Look
    lines: tuple[str, ...]
    number: str | None
    title: str | None

    @property
    def text(self) -> str:
        return joined(self.lines)


def find_headings(flow: Sequence[FlowLine]) -> list[PdfHeading]:
    """All headings of the book in order; parts that follow each other directly ("IV", then its title) are one heading."""
    if not flow:
        return []
    body = body_style(flow)
    runs = merged([run for run in runs_of(flow, body) if is_heading(flow, *run, body)], flow)
    asked = [run for run in runs if flow[run[1] - 1].text[-1] == "?"]  # one after the other, they are questions to answer
    listed = {run for a, b in pairwise(asked) if a[1] == b[0] and same_look(flow[a[0]], flow[b[0]]) for run in (a, b)}
    return [heading_at(flow, start, end) for start, end in runs if (start, end) not in listed]


def runs_of(flow: Sequence[FlowLine], body: TextStyle) -> Iterator[tuple[int, int]]:
    """[start, end) of successive lines that look alike, stand together and differ from the body."""
    for run in in_groups(range(len(flow)), lambda _, i: continues(flow[i - 1], flow[i])):
        start, end = run[0], run[-1] + 1
        max_lines = MAX_DISPLAYED if is_larger(flow[start], body) else MAX_LINES
        apart = stands_out(flow[start], body) or stands_alone(flow, start, end, body)
        if len(run) <= max_lines and apart:
            yield start, end


def continues(a: FlowLine, b: FlowLine) -> bool:
    """Whether b is the next line of the same block as a, or of the same sentence in the next column."""
    if b.above is None:
        within = a.text[-1:] in OPEN_ENDS and not (b.is_centred and not a.is_centred)
        return same_look(a, b) and (within or b.text[:1].islower())
    one_flush = a.is_centred != b.is_centred and min(a.indent, b.indent) <= FLUSH and min(a.slack, b.slack) > b.line.size
    return b.above <= (WIDE if b.text[:1].islower() else APART) and same_look(a, b) and not one_flush


def same_look(a: FlowLine, b: FlowLine) -> bool:
    """Whether size, weight, colour and face are the same; italics count as the same face."""
    x, y = a.line.style, b.line.style
    alike = x.font == y.font or x.italic != y.italic
    return abs(x.size - y.size) <= 0.04 * y.size and x.bold == y.bold and x.color == y.color and alike


def stands_out(each: FlowLine, body: TextStyle) -> bool:
    """Whether a line differs from the body in size, weight or colour."""
    style = each.line.style
    return style.size >= LARGER * body.size or (style.bold and not body.bold) or style.color != body.color


def stands_alone(flow: Sequence[FlowLine], start: int, end: int, body: TextStyle) -> bool:
    """Whether space, a page's edge or larger type separates the run from the text on both sides."""
    above, below = flow[start].above, flow[end - 1].below
    before = flow[start - 1] if start else None  # None beside a distance: a caption or table was taken out there
    after = flow[end] if end < len(flow) else None
    apart_above = above is None or above > APART or (before and (is_larger(before, body) or names_division(before.text)))
    return bool(apart_above and (below is None or below > APART or (after and is_larger(after, body))))


def names_division(text: str) -> bool:
    """Whether a line is only the number of a chapter: "IV", "Chapter Two"."""
    return bare_number(text) or bool(DIVISION_ONLY.match(text))


def is_larger(each: FlowLine, body: TextStyle) -> bool:
    return each.line.size >= LARGER * body.size


def is_heading(flow: Sequence[FlowLine], start: int, end: int, body: TextStyle) -> bool:
    """Whether a run that stands out or alone is a heading and not a quotation, caption or displayed line."""
    run = flow[start:end]
    text = " ".join(each.text for each in run)
    if ORNAMENT.match(text) or BRACKETED.match(text) or "://" in text or len(text.split()) > MAX_WORDS:
        return False
    if run[-1].is_cut or run[0].goes_on or text[0] in BULLETS or are_sentences(text) or runs_in(flow, start, end):
        return False
    if DIVISION_ONLY.match(text) and stands_alone(flow, start, end, body):
        return True
    if run[0].line.size < SMALLEST * body.size or any(each.goes_on for each in run):
        return False
    if is_larger(run[0], body):
        reads_on = text.rstrip(CLOSERS)[-1:] in ".,;" and len(text.split()) > 6  # as a sentence or the middle of one
        return not reads_on or run[0].line.size >= 1.25 * body.size
    return is_quiet_heading(flow, start, end, text, body)


def runs_in(flow: Sequence[FlowLine], start: int, end: int) -> bool:
    """Whether a run in bold is the name of a paragraph that begins in its line or, if that is full, in the next one."""
    below = [each for each in flow[end : end + 1] if (each.above or 0) <= APART]
    wrapped = [each for each in below if flow[end - 1].room(each) <= WRAPPED * (each.right - each.left)]
    ends = ((each.line.tokens[0].style, each.line.tokens[-1].style) for each in [*flow[start:end], *wrapped])
    name = flow[start].line.style
    return bool(below) and not below[0].line.style.bold and any(a.font == name.font and a.bold > b.bold for a, b in ends)


def are_sentences(text: str) -> bool:
    """Whether a text is several whole sentences, as a notice in bold is."""
    return text[-1] in ".!?" and sum(len(text[slice(*span)].split()) >= FEWEST for span in split_sentences(text)) > 1


FEWEST = 4  # words of a sentence that is no number or name
LONGEST = 8  # words of a title that ends in a full stop
BRACKETED = re.compile(r"^(?:\[[^\]]*\]|\([^)]*\))[.,]?$")  # an aside: "[Exeunt.]"


def is_quiet_heading(flow: Sequence[FlowLine], start: int, end: int, text: str, body: TextStyle) -> bool:
    """Whether a run in type no larger than the body's is a heading: alone, short, not reading on, and unlike the text."""
    run = flow[start:end]
    style = run[0].line.style
    bold = style.bold and not body.bold
    alone = stands_alone(flow, start, end, body) or (bold and is_parted(flow, start, end))
    if not alone or len(run) > 3 or text[-1:] in ",;—" or (text[0].islower() and text[-1] in ".!?") or len(text.split()) > 25:
        return False
    centred = all(each.is_centred for each in run)
    sentence = text[-1] == "." and text[-2:-1] not in " ." and len(text.split()) > LONGEST  # in a box, or an exercise
    if sentence and not (centred or is_capitals(run)):
        return False
    if bold or is_capitals(run) or bare_number(text):
        return True
    if RELATION.search(text) or not (text[0].isalnum() or text[0] in OPENERS):  # a formula on a line of its own
        return False
    italic = all(token.style.italic for each in run for token in each.line.tokens if token.text.isalnum())
    flush = all(abs(each.indent) <= FLUSH for each in run)  # displayed quotations are indented
    reads_like_one = text[-1:] not in '.!?:”"—' and not text[:1].islower()
    unlike = style.color != body.color or italic or centred
    followed = end < len(flow) and abs(flow[end].line.size - body.size) <= 0.1 * body.size  # by text of the body's size
    return unlike and reads_like_one and (flush or centred) and followed


def is_parted(flow: Sequence[FlowLine], start: int, end: int) -> bool:
    """Whether a run without space around it stands between paragraphs: after a complete sentence, and ending early itself."""
    closed = start == 0 or flow[start].above is None or flow[start - 1].text[-1:] in ENDS
    last = flow[end - 1]
    bold = all(token.style.bold for each in flow[start:end] for token in each.line.tokens)
    return closed and bold and last.indent + last.slack > 0.15 * (last.right - last.left)


def is_capitals(run: Sequence[FlowLine]) -> bool:
    """Whether the lines are in capitals, with enough letters to decide."""
    letters = [c for each in run for c in each.text if c.isalpha()]
    return len(letters) >= 3 and sum(c.isupper() for c in letters) >= 0.9 * len(letters)


def merged(runs: Sequence[tuple[int, int]], flow: Sequence[FlowLine]) -> list[tuple[int, int]]:
    """The runs; one that directly follows a number, and is its title, joins it."""
    out: list[tuple[int, int]] = []
    for start, end in runs:
        joins = bool(out) and out[-1][1] == start and belong(flow, out[-1], (start, end))
        out.append((out.pop()[0] if joins else start, end))
    return out


def belong(flow: Sequence[FlowLine], a: tuple[int, int], b: tuple[int, int]) -> bool:
    """Whether two neighbouring runs are number and title of one heading: in one column, or of one size on the next page."""
    first, second = flow[a[0]], flow[b[0]]
    same_size = abs(second.line.size - first.line.size) < 0.1
    near = second.above is not None if second.page == first.page else second.page == first.page + 1 and same_size
    number, title = (" ".join(each.text for each in flow[start:end]) for start, end in (a, b))
    return near and names_division(number) and not names_division(title) and not names_part_of(number, title)


def names_part_of(number: str, title: str) -> bool:
    """Whether a line names a part of the division above it: "SCENE I. A room" below "ACT I", "I. The King" below "Book II"."""
    outer, (inner, rest) = division_word(number), part_number((title,))
    counted = bool(inner and rest and number_value(inner)) and outer in GROUP_WORDS
    return counted or (bool(word := division_word(inner)) and word != outer)


def heading_at(flow: Sequence[FlowLine], start: int, end: int) -> PdfHeading:
    """The heading of a run, with the look of its largest line."""
    run = flow[start:end]
    ruling = max(run, key=lambda each: each.line.size)
    style = ruling.line.style
    look = Look(round(style.size * 2) / 2, style.bold, style.italic, is_capitals(run), style.color, ruling.is_centred)
    lines = tuple(without_calls(each.line.tokens) for each in run)
    number, title = part_number(lines)
    return PdfHeading(start, end, run[0].page, look, lines, number, title)


def levels_of_looks(headings: Sequence[PdfHeading], levels: Mapping[int, int]) -> dict[Look, int]:
    """A level for every look: of its announced headings, else its numbers' depth ("2.3.1": 3), else below the next larger."""
    by_look: dict[Look, list[PdfHeading]] = defaultdict(list)
    for heading in headings:
        by_look[heading.look].append(heading)
    found: dict[Look, int] = {}
    deepest = max(levels.values(), default=1)
    for look in sorted(by_look, key=order_of):
        known = [levels[h.start] for h in by_look[look] if h.start in levels]
        numbered = [len(h.number.split(".")) for h in by_look[look] if h.number and "." in h.number]
        found[look] = commonest(known) or commonest(numbered) or deepest + 1
        deepest = max(deepest, found[look])
    return found


def commonest(values: Sequence[int]) -> int:
    """The commonest value; 0 for none."""
    return Counter(values).most_common(1)[0][0] if values else 0


def order_of(look: Look) -> tuple[float, bool, bool, bool]:
    """Sort key of looks: larger, bold, capitals and upright type first."""
    return (-look.size, not look.bold, not look.capitals, look.italic)


def without_calls(tokens: Sequence[Token]) -> str:
    """The line's text with its superscripts ("The x² Test"), but without calls of notes: raised, or signs that end a word."""
    others = [token for token in tokens if not token.raised or len(token.text) != 1 or token.text.isdigit()]
    return text_of(as_printed(without_notes(others, frozenset())))


def nameless(headings: Sequence[PdfHeading]) -> set[int]:
    """The starts of headings that name no part of the book: letters of figures, and numbers that do not count on (folios)."""
    counting = counting_on([h for h in headings if (h.number or h.text).isdecimal()])
    counting |= counting_on([h for h in headings if not (h.number or h.text).isdecimal()])
    return {h.start for h in headings if not (is_worded(h) or h.start in counting)}


def counting_on(headings: Sequence[PdfHeading]) -> set[int]:
    """The starts of headings whose number is one more or less than that of the next or last one with a number, and not because
    both count the pages from anything but 1."""
    counting: set[int] = set()
    numbered = [(h, n) for h in headings if 0 < (n := number_value(h.number or h.text)) <= MAX_NUMBER]
    for (a, m), (b, n) in pairwise(numbered):
        if n == m + 1 and (m == 1 or a.start in counting or b.page != a.page + 1):
            counting |= {a.start, b.start}
    return counting


def has_words(text: str) -> bool:
    """Whether much of a text is in words of the dictionary, or several words are long ones of any language."""
    long = sum(len(atom) > SYMBOL and atom[1:].islower() for atom in ATOM.findall(text))
    return long > SEVERAL or in_words(text) > FEW_LETTERS * len(text.replace(" ", ""))


def is_worded(heading: PdfHeading) -> bool:
    """Whether a heading is made of words: mostly letters with a word of three; a formula or an entry of contents is not."""
    signs = [c for c in heading.title or heading.text if not c.isspace()]
    if LEADER.search(heading.text) or (RELATION.search(heading.text) and not has_words(heading.text)):
        return False
    words = in_words(heading.text) > 1 or any(sum(map(str.isalpha, word)) >= MIN_LETTERS for word in heading.text.split())
    words &= heading.text[0].isalnum() or heading.text[0] in f"{OPENERS}{ORNAMENTS}"
    return words and not bare_number(heading.text) and sum(c.isalpha() for c in signs) >= 0.5 * len(signs)


ORDINALS = (
    "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen "
    "nineteen twenty first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth "
    "fifteenth sixteenth seventeenth eighteenth nineteenth twentieth last"
)

CALLED_CHAPTER = "chapter chap. chap kapitel kap. chapitre capítulo capitulo capitolo hoofdstuk".split()  # noqa: SIM905
CHAPTER_WORDS = [*CALLED_CHAPTER, "lecture", "lesson", "letter", "essay", "discourse", "sermon", "canto"]
OTHER_DIVISIONS = (
    r"book|part|section|appendix|volume|vol\.|act|scene|unit|module|article|dialogue|meditation|schedule|annex|teil|abschnitt"
    r"|anhang|vorlesung|lektion|partie"
)
DIVISION = rf"(?:{'|'.join(map(re.escape, CHAPTER_WORDS))}|{OTHER_DIVISIONS})"
NUMERAL = rf"(?:\d+(?:\.\d+)*|[ivxlcdm]+|[a-z]|(?:the\s+)?(?:twenty-)?(?:{'|'.join(ORDINALS.split())}))"

NUMBERED = re.compile(
    rf"^(?P<number>{DIVISION}(?:\s+{NUMERAL}|\d+)|(?:\d+|[A-Z](?=\.\d))(?:\.\d+)*|[IVXLCDM]+)[.:)—–-]*(?:\s+(?P<title>\S.*))?$",
    re.IGNORECASE,
)

DIVISION_ONLY = re.compile(rf"^{DIVISION}(?:\s+{NUMERAL}|\d+)\W*$", re.IGNORECASE)
CHAPTER_WORD = re.compile(rf"^{DIVISION}\s*(?={NUMERAL}\b)", re.IGNORECASE)
GLUED_NUMBER = re.compile(r"^([a-z]{4,})(\d+)$", re.IGNORECASE)  # "Chapter2", where the type is too tight for a blank
ORNAMENTS = " ❧❦☙•·*~—–§¶◆◇■□●○★☆✦✧❖"


def bare_number(text: str) -> bool:
    """A number standing alone, as chapters without titles have."""
    bare = text.strip(" .—–-[]()")
    return bare.isdigit() or (bare.isupper() and from_roman(bare.lower()) > 0)


def joined(lines: Sequence[str]) -> str:
    """The lines of a heading as one; a word broken at a line's end is joined ("Situ-" + "ation", "Self-" + "Reliance"),
    also one of another language, whose parts are no words."""
    text = ""
    for line in lines:
        if text[-1:] in ("-", "\u2010") and text[-2:-1].isalpha():
            left, right = last_word(text[:-1]).casefold(), first_word(line)
            is_one = frequency(left + right) or not (frequency(left) and frequency(right))
            text = (text[:-1] if is_one and right.islower() else text) + line
        else:
            text += line if text[-1:] == "/" else f" {line}"
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
    or "I think", where a word follows; so must letters: "A.1"."""
    number = found["number"].split()[-1].rstrip(".")
    if len(found["number"].split()) > 1 or number[-1].isdigit():
        return len(found["number"].split()) > 1 or not (number[0].islower() and number[1:2] == ".")
    is_word = len(number) == 1 and found.string[found.end("number") :][:1] == " " and found["title"][:1].islower()
    return number.isupper() and from_roman(number.lower()) > 0 and not is_word


def chapter_number(number: str) -> str:
    """A chapter's number without a word that only says it is one: "CHAPTER XVI" → "XVI", but "APPENDIX A" → "Appendix A"."""
    word = CHAPTER_WORD.match(number)
    if not word:
        return number
    kept = "" if division_word(number) in CALLED_CHAPTER else word[0].strip().capitalize()
    return f"{kept} {number[word.end() :].strip()}".strip()


def bare_name(number: str) -> str:
    """A number without the word before it, in small letters."""
    return CHAPTER_WORD.sub("", number).strip().casefold()


def number_value(number: str | None) -> int:
    """The value of "12" and "XII", also after a word ("Chapter 12"); 0 for any other number."""
    bare = bare_name(number).strip(" .—–-[]()") if number else ""
    return int(bare) if bare.isdecimal() else from_roman(bare)


GROUP_WORDS = frozenset("book part volume vol. act unit module teil partie".split())  # noqa: SIM905


def division_word(number: str | None) -> str:
    """The word before a number, in small letters: "chapter" of "Chapter V"; empty if there is none."""
    found = CHAPTER_WORD.match(number or "")
    return found[0].casefold().strip() if found else ""


SECTIONS = (
    (
        Kind.REFERENCE,
        re.compile(
            r"^(?:(?:list of |selected |select |annotated |general )*(?:references|bibliograph(?:y|ies))(?: [ivx]+)?"
            r"|(?:\w+ ){1,3}bibliography"
            r"|works (?:cited|consulted)"
            r"|(?:literature|sources|references) cited|literatur(?:verzeichnis)?|quellen(?:verzeichnis)?"
            r"|(?:short |long |select(?:ed)? )?literature(?: list)?|list of literature"
            r"|(?:references|bibliography) (?:and|&|to|for) .*)$"
        ),
    ),
    (
        Kind.INDEX,
        re.compile(
            r"^(?:(?:general |subject |author |name )*ind(?:ex|ices|exes)(?: (?:of|to) .*)?"
            r"|(?:sach|personen|namen|stichwort)*register|stichwortverzeichnis)$"
        ),
    ),
    (
        Kind.CONTENTS,
        re.compile(
            r"^(?:(?:brief |detailed |short |table of |list of )?contents|inhalt(?:sverzeichnis)?"
            r"|(?:list|table) of (?:figures|tables|illustrations|maps|plates|boxes|exhibits|listings|algorithms|abbreviations)"
            r"|illustrations|(?:abbildungs|tabellen)verzeichnis|transcriber['’]?s['’]? notes?|copyright(?: page)?|colophon"
            r"|imprint|impressum|key ?words|index terms|general terms|categories and subject descriptors|ccs concepts"
            r"|acm reference format)$"
        ),
    ),
)


def section_kind(title: str | None) -> Kind | None:
    """What a section of this title may hold instead of prose."""
    name = " ".join((title or "").casefold().strip(" .:—–-").split())
    return next((kind for kind, pattern in SECTIONS if pattern.match(name)), None)
