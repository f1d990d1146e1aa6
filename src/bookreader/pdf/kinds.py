"""Lines set apart that are no prose: program listings, display formulae, lettering in drawings.

They are taken out of the flow before headings and paragraphs are sought. A sentence that goes on after one is not quotable.

Nothing here knows a typeface by name: a face is fixed if its letters are all equally wide, a formula is a line set apart with
signs and hardly a word of the dictionary. A section of references, an index or contents is known by its heading, and believed
if its entries look like what it says. Names in bold in the line of the text that they name (of tasks, theorems, numbered
sections) become lines of their own, so that a sentence is quoted without them."""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import groupby, pairwise

from bookreader.book import Kind
from bookreader.pdf.flow import APART, LEADER, FlowLine
from bookreader.pdf.headings import FEW_LETTERS, RELATION, Body, bare_number, body_of, is_larger, stands_out
from bookreader.pdf.model import Line, line_of
from bookreader.pdf.prose import ATOM, in_words


def is_in(line: Line, fonts: frozenset[str]) -> bool:
    """Whether nearly all of a line is set in these fonts."""
    return bool(fonts) and fixed_letters(line, fonts) >= LISTED * sum(len(token.text) for token in line.tokens)


def fixed_letters(line: Line, fonts: frozenset[str]) -> int:
    return sum(len(token.text) for token in line.tokens if token.style.font in fonts)


LISTED = 0.75  # of a listing's line is in the fixed face; its number and its remarks need not be
OPENERS = "(["
CLOSERS = "”’\"')]}*"
STOPS = ".!?…"
SLACK = 0.3  # of the type size, and the next word: a line with no more room is full


@dataclass(frozen=True, slots=True)
class Types:
    """The look of the book's text, and the fonts of its listings."""

    body: Body
    fixed: frozenset[str]


@dataclass(frozen=True, slots=True)
class Display:
    """Lines of one kind that stand together, apart from the text."""

    kind: Kind
    lines: tuple[FlowLine, ...]


@dataclass(frozen=True, slots=True)
class ProseFlow:
    """The flow of prose, and the displays."""

    flow: tuple[FlowLine, ...]
    displays: tuple[Display, ...]


def part_displays(flow: Sequence[FlowLine], fixed: frozenset[str]) -> ProseFlow:
    """The flow without what is no prose; where that stands within a sentence, its rest is another paragraph. fixed: the fonts
    of listings."""
    if not flow:
        return ProseFlow((), ())
    types = Types(body_of(flow), fixed)
    prose: list[FlowLine] = []
    apart: list[Display] = []
    broken = False  # whether a display was left out within a sentence
    for kind, run in groupby(zip(kinds_of(flow, types), flow, strict=True), key=lambda pair: pair[0]):
        lines = [each for _, each in run]
        if kind is not None:
            apart.append(Display(kind, tuple(lines)))
            if kind in WITHIN and prose and not is_ended(prose[-1].text, STOPS):
                prose[-1] = replace(prose[-1], is_cut=True)
                broken = True
            continue
        lines[0] = replace(lines[0], goes_on=False) if broken else lines[0]
        broken = False
        prose += [continued(a, b, types) if a else b for a, b in pairwise([prose[-1] if prose else None, *lines]) if b]
    return ProseFlow(tuple(prose), tuple(apart))


def continued(before: FlowLine, line: FlowLine, types: Types) -> FlowLine:
    """The line; marked as the same paragraph's if the sentence before it certainly goes on in it, and as another one's if it
    begins an item."""
    if line.goes_on is not None:
        return line
    if ITEM.match(line.text) and (line.text[0] not in "–-" or not is_next_of(before, line)):
        return replace(line, goes_on=False)
    return replace(line, goes_on=True) if goes_on(before, line, types) else line


ALIKE = 0.05  # of the size: type that differs by no more is of one size
ITEM = re.compile(r"[•●▪■□◆◇◦○‣∙▸►➢✓✔\ue000-\uf8ff]\s*\S|[–-]\s+\S")


def goes_on(before: FlowLine, line: FlowLine, types: Types) -> bool:
    """Whether a line continues the sentence of the one before: that has no stop and fills its line, and this one
    begins with a small letter or hangs below it."""
    if is_ended(before.text, f"{STOPS}:") or not is_alike(before, line, types.body):
        return False
    if not is_full(before, line):  # a long word in a fixed face fills no line
        return begins_small(line.text) and abs(before.line.size - line.line.size) > ALIKE * line.line.size
    hangs = line.above is not None and line.above <= APART and line.indent - before.indent > ALIGNED and not line.is_centred
    return begins_small(line.text) or (hangs and before.text[-1] not in CLOSERS)


def is_alike(before: FlowLine, line: FlowLine, body: Body) -> bool:
    """Whether both lines are in type of the text's look and of one size."""
    plain = not stands_out(before, body) and not stands_out(line, body)
    return plain and abs(largest(before) - largest(line)) <= ALIKE * largest(line)


def largest(each: FlowLine) -> float:
    """The largest type in a line: a word in a fixed face may be set smaller."""
    return max(token.style.size for token in each.line.tokens)


def is_ended(text: str, stops: str) -> bool:
    """Whether a text ends in a stop, before closing quotation marks and brackets."""
    return text.rstrip(CLOSERS)[-1:] in stops if text.rstrip(CLOSERS) else True


def begins_small(text: str) -> bool:
    """Whether a text begins within a sentence: with a small letter, or with a comma."""
    return text.lstrip(OPENERS)[:1].islower() or text[:1] in ",;"


def is_full(line: FlowLine, following: FlowLine) -> bool:
    """Whether the next word would not have fitted into the line, or is divided at its end."""
    first = following.line.tokens[0]
    divided = line.text[-1:] in "-\u2010\u00ad" and line.text[-2:-1].isalpha()
    return divided or line.slack <= first.x1 - first.x0 + SLACK * line.line.size


NAMED = re.compile(
    r"^(?:fig(?:ure|\.)?|table|plate|map|illustration|chart|diagram|exhibit|photo(?:graph)?|box|listing|algorithm)\s+"
    r"(?:\d+(?:[.\-–]\d+)*|[IVXLC]+|[A-Z])(?P<end>[.:—–)]|\s|$)",
    re.IGNORECASE,
)


WITHIN = frozenset({Kind.CODE, Kind.FORMULA})


def kinds_of(flow: Sequence[FlowLine], types: Types) -> list[Kind | None]:
    """The kind of every line; None for prose and what only its section can tell."""
    kinds: list[Kind | None] = [None] * len(flow)
    for i, each in enumerate(flow):
        before = flow[i - 1] if i else None
        follows = before is not None and is_next_of(before, each)
        if is_in(each.line, types.fixed):
            spans = follows and (i == 0 or kinds[i - 1] is not Kind.CODE)  # words within a sentence
            tops = each.above is None and i + 1 < len(flow) and is_in(flow[i + 1].line, types.fixed)
            kinds[i] = None if spans and not tops else Kind.CODE
        elif each.is_label:
            kinds[i] = Kind.CAPTION
        elif not stands_out(each, types.body):
            kinds[i] = Kind.FORMULA if is_counted(each, before) else sign_kind(each, follows and kinds[i - 1] is None)
    spread_formulae(flow, kinds, types.body)
    return kinds


def is_next_of(before: FlowLine, line: FlowLine) -> bool:
    """Whether a line is simply the next one of a paragraph."""
    close = line.above is None or line.above <= APART
    aligned = abs(line.indent - before.indent) < ALIGNED or abs(line.indent) < ALIGNED
    return close and aligned and is_full(before, line) and not is_ended(before.text, f"{STOPS}:")


ALIGNED = 2.0  # points
SIGNS = frozenset("=<>+−×÷±∓∈∉∋∑∏∫√∞≤≥≠≈≡≅∼≃∝→←↔⇒⇔↦∀∃∪∩⊂⊃⊆⊇∂∇∧∨¬⊕⊗∘◦⋅∅ℵ^|∥⊥∆")
LETTERED = 2  # letters: a text so short is no heading
PAGES = re.compile(r"^[\d,;.\s]*\d(?:[nf]|\s?[–-]\s?\d)[\d\s,;.nf–-]*$")  # the end of an index's entry
ENUMERATED = re.compile(r"[,;].*[,;]|\.\s?\.|…|⋯")


def sign_kind(each: FlowLine, follows: bool) -> Kind | None:
    """FORMULA for a line set apart that is signs, and letters that are no words; CAPTION for lettering ("A F B")."""
    text = each.text
    if follows or not is_set_apart(each) or bare_number(text) or not any(c.isalnum() for c in text):
        return None
    letters = in_words(text)
    if letters > FEW_LETTERS * len(text.replace(" ", "")):
        return None
    if any(c in SIGNS for c in text):
        return Kind.FORMULA
    atoms = [atom for atom in ATOM.findall(text) if atom != "etc"]
    if any(len(atom) > LETTERED for atom in atoms) or len(text.split()) < LETTERED:
        return None
    if ENUMERATED.search(text) and not PAGES.match(text):
        return Kind.FORMULA
    return Kind.CAPTION if atoms else None


def is_counted(each: FlowLine, before: FlowLine | None) -> bool:
    """Whether a line set apart within a sentence is a formula with a number; it may hold words: "(1) d = the degree of v"."""
    counted = RELATION.search(each.text) and re.match(r"\(\d{1,3}[a-z]?\)\s|.*\(\d{1,3}[a-z]?\)$", each.text)
    return bool(counted) and is_set_apart(each) and before is not None and not is_ended(before.text, STOPS)


def is_formula(lines: Iterable[FlowLine]) -> bool:
    """Whether lines are signs and letters that are no words."""
    text = " ".join(each.text for each in lines)
    return any(c in SIGNS for c in text) and in_words(text) <= FEW_LETTERS * len(text.replace(" ", ""))


def is_set_apart(each: FlowLine) -> bool:
    """Whether a line is centred or set in, or stands with space on both sides."""
    spaced = (each.above is None or each.above > APART) and (each.below is None or each.below > APART)
    return each.is_centred or each.indent >= each.line.size or spaced


NEAR = 1.7  # × the size: pieces of one formula are no further above each other


def spread_formulae(flow: Sequence[FlowLine], kinds: list[Kind | None], body: Body) -> None:
    """Count pieces of formulae (numerators, limits, numbers of equations) as formulae, from both sides."""
    for order in (range(1, len(flow)), range(len(flow) - 2, -1, -1)):
        step = order.step
        for i in order:
            if kinds[i] is None and kinds[i - step] is Kind.FORMULA and is_piece(flow[i], flow[i - step], body):
                kinds[i] = Kind.FORMULA


def is_piece(each: FlowLine, formula: FlowLine, body: Body) -> bool:
    """Whether a line next to a formula is a piece of it: without words, and close."""
    near = each.page == formula.page and abs(each.line.baseline - formula.line.baseline) <= NEAR * formula.line.size
    few = not in_words(each.text) or (each.indent > SET_IN * each.line.size < each.slack and bool(CASE.match(each.text)))
    return near and not is_larger(each, body) and not each.line.style.bold and few and is_set_apart(each)


SET_IN = 3.0  # × the type size: a line of a formula with words is set in by more, and ends so early
CASE = re.compile(
    r"(?:\W|\d|\w\b).*\b(?:if|otherwise|else|for|when|and|or|where|with|all)\b|(?:if|otherwise|else|for|and|or)\b"
)
"""A case of a formula: "0 otherwise", "x if x > 0"."""


TINY = 0.72  # of the body's size: type that only drawings are lettered in

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


SECTIONS = (
    (
        Kind.REFERENCE,
        re.compile(
            r"^(?:(?:list of |selected |select |annotated |general )*(?:references|bibliograph(?:y|ies))"
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
CITED = re.compile(
    r"\b(?:1[5-9]|20)\d\d[a-z]?\b|\bpp?\.\s?\d|\bvol\.|\beds?\.|\b(?:Press|Proceedings|Journal|Verlag)\b|https?:|\bdoi\b|arXiv"
    r"|^\[[\w+.’'-]{1,12}\]"
)
INDEXED = re.compile(r"[, ]\s?\d{1,4}(?:[-–]\d{1,4})?(?:ff?\.?|n)?[,.]?$|\bsee(?: also)? |^\W*\w\W*$")
CITED_SHARE, INDEXED_SHARE = 0.4, 0.4  # of a section's paragraphs, or lines, at least
HEADED = re.compile(r"^\[(?:\d{1,3}|[A-Z][\w+.’'-]{1,11})\]\s+\W?[A-Z]")
SOURCE = re.compile(
    r"[A-Z]\w+(?: \w+)?: [A-Z][\w&.’' ]+, (?:1[5-9]|20)\d\d(?:, (?:pp?|chs?|vol)\. ?[\dIVXLCivxlc–, -]+f{0,2})?\.?$"
)
SOURCE_LINE = re.compile(
    r"^(?:(?:sources?|quellen?|data sources?|(?:adapted|reprinted|taken|excerpted|abridged) from): \S"
    r"|(?:adapted|reprinted|excerpted|abridged) from )",
    re.IGNORECASE,
)
LONGEST_SOURCE = 40  # words: the line below a text that says where it is from
ENTRY_YEAR = re.compile(r"\b(?:1[5-9]|20)\d\d[a-z]?\b")


def section_kind(title: str | None) -> Kind | None:
    """What a section of this title may hold instead of prose."""
    name = " ".join((title or "").casefold().strip(" .:—–-").split())
    return next((kind for kind, pattern in SECTIONS if pattern.match(name)), None)


def holds(kind: Kind, paragraphs: Sequence[Sequence[FlowLine]]) -> bool:
    """Whether a section's entries are what its title says: a chapter may be called "References" or "Index" and be prose."""
    if not paragraphs:
        return False
    if kind is Kind.REFERENCE:
        cited = sum(any(CITED.search(each.text) for each in lines) for lines in paragraphs)
        return cited >= CITED_SHARE * len(paragraphs)
    if kind is Kind.INDEX:
        texts = [each.text for lines in paragraphs for each in lines]
        return sum(bool(INDEXED.search(text)) for text in texts) >= INDEXED_SHARE * len(texts)
    return True


def own_kind(lines: Sequence[FlowLine]) -> Kind | None:
    """The kind of a paragraph that shows it by itself: an entry "[12] Knuth, D. … 1973", lines with leaders."""
    text = " ".join(each.text for each in lines)
    if KEYWORDS.match(text):
        return Kind.CONTENTS
    if len(text.split()) <= LONGEST_SOURCE and (SOURCE.search(text) or SOURCE_LINE.match(text)):
        return Kind.REFERENCE
    if HEADED.match(text) and ENTRY_YEAR.search(text):
        return Kind.REFERENCE
    return Kind.CONTENTS if sum(bool(LEADER.search(each.text)) for each in lines) > 0.5 * len(lines) else None


KEYWORDS = re.compile(
    r"^(?:Categories and Subject Descriptors|General Terms|CCS Concepts|ACM Reference Format"
    r"|(?:Key ?words|Index Terms)\b(?: and [Pp]hrases)?(?:\s*[:—–.-]| (?![a-z])))"
)


def is_same_block(a: FlowLine, b: FlowLine) -> bool:
    """Whether two lines stand together in type of one size."""
    return b.above is not None and b.above <= APART and a.line.size == b.line.size


LED_SHARE, LED_LINES = 0.4, 5  # of the lines of a contents page, at least, have leaders


def contents_pages(flow: Sequence[FlowLine]) -> frozenset[int]:
    """The pages on which many lines have leaders, whatever their heading."""
    lines = Counter(each.page for each in flow)
    led = Counter(each.page for each in flow if LEADER.search(each.text))
    return frozenset(page for page, n in led.items() if n >= max(LED_LINES, LED_SHARE * lines[page]))


BROKEN = 2.0  # × the leading: as if the pieces stood so far apart
