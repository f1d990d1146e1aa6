"""What each line is, and the book as a sequence of blocks of one kind, each under its chapter and sections.

Program listings, display formulae, lettering and captions are taken out of the flow before headings and paragraphs are sought,
so that sentences go on across captions; one that goes on after a display is not quotable. A face is fixed if its letters are
all equally wide, a formula is a line set apart with signs and hardly a word of the dictionary. A section of references, an
index or contents is known by its heading, and believed if its entries look like what it says. Names that begin a
paragraph become lines of their own, so that a sentence is quoted without them."""

import re
from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby, pairwise
from typing import NamedTuple

from bookreader.book import Chapter, Kind
from bookreader.pdf.chapters import LIST_NUMBER, Division, PrintedContents, Structure
from bookreader.pdf.flow import APART, LEADER, FlowLine, body_style, is_running
from bookreader.pdf.frame import is_body_size
from bookreader.pdf.headings import (
    CLOSERS,
    ENDS,
    RELATION,
    bare_number,
    continues,
    has_words,
    is_larger,
    section_kind,
    stands_alone,
    stands_out,
)
from bookreader.pdf.model import TextStyle, line_of
from bookreader.pdf.page_artefacts import SMALLER, mark_of
from bookreader.pdf.paragraphs import STATED, WIDE, Habits, begins_item, habits_of, paragraphs_of
from bookreader.pdf.prose import ATOM, in_words

LISTED = 0.75  # of a listing's line is in the fixed face; its number and its remarks need not be
OPENERS = "(["
STOPS = ".!?…"
SLACK = 0.3  # of the type size, and the next word: a line with no more room is full


class ProseFlow(NamedTuple):
    """The lines of the text, and those that are apart from it."""

    text: list[FlowLine]
    apart: list[FlowLine]


def of_kind(kind: Kind, run: Iterable[FlowLine]) -> Iterator[FlowLine]:
    """Lines that stand together as one block of that kind."""
    yield from (replace(each, kind=kind, goes_on=n > 0) for n, each in enumerate(run))


def part_displays(flow: Sequence[FlowLine], fixed: frozenset[str]) -> ProseFlow:
    """The flow without what is no prose; if that parts a sentence, its rest is another paragraph. fixed: fonts of listings."""
    if not flow:
        return ProseFlow([], [])
    body = body_style(flow)
    text, apart = list[FlowLine](), list[FlowLine]()
    broken = False  # whether a display was left out within a sentence
    for kind, run in groupby(zip(kinds_of(flow, body, fixed), flow, strict=True), key=lambda pair: pair[0]):
        lines = [each for _, each in run]
        if kind is not None:
            apart += of_kind(kind, lines)
            if kind in WITHIN and text and not is_ended(text[-1].text, STOPS) and not is_larger(text[-1], body):
                text[-1] = replace(text[-1], is_cut=True)
                broken = True
            continue
        lines[0] = replace(lines[0], goes_on=False) if broken else lines[0]
        broken = False
        text += [continued(a, b, body) if a else b for a, b in pairwise([text[-1] if text else None, *lines]) if b]
    return ProseFlow(text, apart)


def continued(before: FlowLine, line: FlowLine, body: TextStyle) -> FlowLine:
    """The line; marked as the same paragraph's if the sentence before it surely goes on, as another's if it begins an item."""
    if line.goes_on is not None:
        return line
    if ITEM.match(line.text) and (line.text[0] not in "–-" or not is_next_of(before, line)):
        return replace(line, goes_on=False)
    return replace(line, goes_on=True) if goes_on(before, line, body) else line


ALIKE = 0.05  # of the size: type that differs by no more is of one size
ITEM = re.compile(r"[∗•●▪■□◆◇◦○‣∙▸►➢✓✔\ue000-\uf8ff]\s*\S|[–-]\s+\S")


def goes_on(before: FlowLine, line: FlowLine, body: TextStyle) -> bool:
    """Whether a sentence goes on in a line: the one before has no stop and is full; it begins with a small letter or hangs."""
    plain = not stands_out(before, body) and not stands_out(line, body)
    if is_ended(before.text, f"{STOPS}:") or not plain or abs(largest(before) - largest(line)) > ALIKE * largest(line):
        return False
    if not is_full(before, line):  # a long word in a fixed face fills no line
        return begins_small(line.text) and abs(before.line.size - line.line.size) > ALIKE * line.line.size
    hangs = line.above is not None and line.above <= APART and line.indent - before.indent > ALIGNED and not line.is_centred
    return begins_small(line.text) or (hangs and before.text[-1] not in CLOSERS)


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
    divided = line.text[-1:] in "-\u2010\u00ad" and line.text[-2:-1].isalpha()
    return divided or line.room(following) <= SLACK * line.line.size


NAMED = re.compile(
    r"^(?:fig(?:ure|\.)?|table|plate|map|illustration|chart|diagram|exhibit|photo(?:graph)?|box|listing|algorithm"
    r"|tabelle|tab\.|abbildung|abb\.)\s+"
    r"(?:\d+(?:[.\-–]\d+)*|[IVXLC]+|[A-Z])(?P<end>[.:—–)]|\s|$)",
    re.IGNORECASE,
)
WITHIN = frozenset({Kind.CODE, Kind.FORMULA})


def kinds_of(flow: Sequence[FlowLine], body: TextStyle, listings: frozenset[str]) -> list[Kind | None]:
    """The kind of every line; None for prose and what only its section can tell. listings: their fonts."""
    kinds: list[Kind | None] = [None] * len(flow)
    for i, each in enumerate(flow):
        before = flow[i - 1] if i else None
        follows = before is not None and is_next_of(before, each)
        fixed = sum(len(token.text) for token in each.line.tokens if token.style.font in listings)
        if fixed and fixed >= LISTED * sum(len(token.text) for token in each.line.tokens):
            spans = follows and kinds[i - 1] is not Kind.CODE  # words within a sentence
            kinds[i] = None if spans else Kind.CODE
        elif each.is_label:
            kinds[i] = Kind.CAPTION
        elif is_counted(each, before):
            kinds[i] = Kind.FORMULA
        elif not stands_out(each, body) or RELATION.search(each.text):
            kinds[i] = sign_kind(each, follows and kinds[i - 1] is None)
    spread_formulae(flow, kinds, body)
    return kinds


def is_next_of(before: FlowLine, line: FlowLine) -> bool:
    """Whether a line is simply the next one of a paragraph."""
    close = line.above is None or line.above <= APART
    aligned = abs(line.indent - before.indent) < ALIGNED or abs(line.indent) < ALIGNED
    return close and aligned and is_full(before, line) and not is_ended(before.text, f"{STOPS}:")


ALIGNED = 2.0  # points
SIGNS = frozenset("=<>+−×÷±∓∈∉∋∑∏∫√∞≤≥≠≈≡≅∼≃∝→←↔⇒⇔↦∀∃∪∩⊂⊃⊆⊇∂∇∧∨¬⊕⊗∘◦⋅∅ℵ^|∥⊥∆")
LETTERED = 2  # letters: a text so short is no heading


def sign_kind(each: FlowLine, follows: bool) -> Kind | None:
    """FORMULA for a line apart of signs and letters that are no words; CAPTION for lettering ("A F B"), not for "2. II"."""
    text = each.text
    if follows or not is_set_apart(each) or bare_number(LIST_NUMBER.sub("", text)) or not any(c.isalnum() for c in text):
        return None
    if has_words(text):
        return None
    if any(c in SIGNS for c in text):
        return Kind.FORMULA
    atoms = [atom for atom in ATOM.findall(text) if atom != "etc"]
    if any(len(atom) > LETTERED for atom in atoms) or len(text.split()) < LETTERED:
        return None
    return Kind.CAPTION if atoms else None


def is_counted(each: FlowLine, before: FlowLine | None) -> bool:
    """Whether a line set apart within a sentence is a formula with a number; it may hold words: "(1) d = the degree of v"."""
    counted = RELATION.search(each.text) and re.match(r"\(\d{1,3}[a-z]?\)\s|.*\(\d{1,3}[a-z]?\)$", each.text)
    return bool(counted) and is_set_apart(each) and before is not None and not is_ended(before.text, STOPS)


def is_set_apart(each: FlowLine) -> bool:
    """Whether a line is centred or set in, or stands with space on both sides."""
    spaced = (each.above is None or each.above > APART) and (each.below is None or each.below > APART)
    return each.is_centred or each.indent >= each.line.size or spaced


NEAR = 1.7  # × the size: pieces of one formula are no further above each other


def spread_formulae(flow: Sequence[FlowLine], kinds: list[Kind | None], body: TextStyle) -> None:
    """Count pieces of formulae (numerators, limits, numbers of equations) as formulae, from both sides."""
    for order in (range(1, len(flow)), range(len(flow) - 2, -1, -1)):
        step = order.step
        for i in order:
            if kinds[i] is None and kinds[i - step] is Kind.FORMULA and is_piece(flow[i], flow[i - step], body):
                kinds[i] = Kind.FORMULA


def is_piece(each: FlowLine, formula: FlowLine, body: TextStyle) -> bool:
    """Whether a line next to a formula is a piece of it: without words, and close."""
    near = each.page == formula.page and abs(each.line.baseline - formula.line.baseline) <= NEAR * formula.line.size
    few = not in_words(each.text)
    return near and not is_larger(each, body) and not each.line.style.bold and few and is_set_apart(each)


TINY = 0.72  # of the body's size: type that only drawings are lettered in

LONGEST_NAME = 12  # words of a name in the line of the text that it names
NUMBERS = re.compile(r"\d+(?:\.\d+)+\.?$")
LABEL_GAP = 1.5  # × the widest of the line's other blanks: one so wide parts a name in bold from the text
OFTEN = 3  # lines: such names recur
BOLD, ITALIC = TextStyle._fields.index("bold"), TextStyle._fields.index("italic")


def part_labels(flow: Sequence[FlowLine]) -> list[FlowLine]:
    """The flow with lines of their own for names in bold that begin a paragraph: before a stop ("Task 2.", "2.1. The Sum."), a
    colon if a sentence follows ("Oxidation: An increase"; also in italics), or a wide gap, as elsewhere ("Powers   The …")."""
    around = zip([None, *flow], flow, [*flow[1:], None], strict=False)
    ends = [
        0 if before and (each.above or WIDE) <= APART and before.text[-1:] not in ENDS else end_of_label(each, following)
        for before, each, following in around
    ]
    parted = sum(end > 0 and not is_stopped(each, end) for each, end in zip(flow, ends, strict=True)) >= OFTEN
    return [
        piece
        for each, end in zip(flow, ends, strict=True)
        for piece in (labelled(each, end) if end and (parted or is_stopped(each, end)) else (each,))
    ]


def is_stopped(each: FlowLine, end: int) -> bool:
    """Whether the first words of a line end in a stop or a colon."""
    return each.line.tokens[end - 1].text[-1] in ".:"


def end_of_label(each: FlowLine, following: FlowLine | None) -> int:
    """How many words stand as a name before the text of a line: bold ones before a stop or a wide gap, any before a colon."""
    tokens = each.line.tokens
    bold, italic = (next((i for i, t in enumerate(tokens) if not t.style[face]), 0) for face in (BOLD, ITALIC))
    end = bold or italic
    worded = any(len(token.text) > 2 and token.text[0].isalpha() for token in tokens[:end])
    if not 0 < end <= LONGEST_NAME or not worded or tokens[end].glued:
        return 0
    opens = tokens[end].text[0].isupper()
    goes_on = each.text[-1] in STOPS or (following is not None and is_full(each, following))
    if tokens[end - 1].text[-1] == ":" and opens and goes_on and not own_kind([each]):
        return end
    gaps = [b.x0 - a.x1 for a, b in pairwise(tokens) if not b.glued]
    gap = tokens[end].x0 - tokens[end - 1].x1
    widest = max((each for each in gaps if each != gap), default=gap)
    return bold if (gap > LABEL_GAP * widest and opens) or tokens[end - 1].text[-1] == "." else 0


def labelled(each: FlowLine, end: int) -> Iterable[FlowLine]:
    """The name and the rest of one line."""
    tokens = each.line.tokens
    name = piece_of(each, 0, end)
    return replace(name, goes_on=False, is_label=not NUMBERS.match(tokens[0].text)), piece_of(each, end, len(tokens))


def piece_of(each: FlowLine, start: int, end: int) -> FlowLine:
    """Tokens [start, end) of a line as a line of its own, at the edge where the whole line begins."""
    whole = replace(line_of(each.page, each.line.tokens[start:end], each.line.baseline), x0=each.line.x0)
    above, below = each.above if start == 0 else BROKEN, each.below if end == len(each.line.tokens) else BROKEN
    return replace(each, line=whole, above=above, below=below, goes_on=False)


CITED = re.compile(
    r"\b(?:1[5-9]|20)\d\d[a-z]?\b|\bpp?\.\s?\d|\bvol\.|\beds?\.|\b(?:Press|Proceedings|Journal|Verlag)\b|https?:|\bdoi\b|arXiv"
    r"|^\[[\w+.’'-]{1,12}\]"
)
CITED_SHARE = 0.4  # of a section's paragraphs, at least
SOURCE = re.compile(  # named as one, an entry of a bibliography, or the end of one
    r"^(?i:(?:sources?|quellen?|data sources?|(?:adapted|reprinted|taken|excerpted|abridged) from): \S"
    r"|(?:adapted|reprinted|excerpted|abridged) from )"
    r"|^(?:\S{1,5} )?[A-Z][\w’'-]+, (?:[A-Z]\.[ -]?)+[^()]{0,200}\((?:1[5-9]|20)\d\d[a-z]?\)[.,:]? [“\"A-Z]"
    r"|[A-Z]\w+(?: \w+)?: [A-Z][\w&.’' ]+, (?:1[5-9]|20)\d\d(?:, (?:pp?|chs?|vol)\. ?[\dIVXLCivxlc–, -]+f{0,2})?\.?$"
)


def holds(kind: Kind, paragraphs: Sequence[Sequence[FlowLine]]) -> bool:
    """Whether a section's entries are what its title says: a chapter may be called "References" and be prose."""
    if kind is not Kind.REFERENCE:
        return True
    cited = sum(any(CITED.search(each.text) for each in lines) for lines in paragraphs)
    return cited >= CITED_SHARE * len(paragraphs)


def own_kind(lines: Sequence[FlowLine]) -> Kind | None:
    """The kind of a paragraph that shows it by itself: a source that is named as one, lines with leaders."""
    text = " ".join(each.text for each in lines)
    if SOURCE.search(text):
        return Kind.REFERENCE
    return Kind.CONTENTS if sum(bool(LED.search(each.text)) for each in lines) > 0.5 * len(lines) else None


LED = re.compile(rf"{LEADER.pattern}(?:.*(?:\d,?|\b[ivxlc]{{1,7}})$|\s*(?:[A-ZÀ-Þ]|$))")  # others are blanks to fill in
FEW_LINES = 8
LED_SHARE, LED_LINES = 0.4, 5  # of the lines of a contents page, at least, have leaders
BROKEN = 2.0  # × the leading: as if the pieces stood so far apart


def part_captions(flow: Sequence[FlowLine]) -> ProseFlow:
    """The flow without captions. After a caption within a sentence, the next line counts as the first of a page."""
    text, captions = list[FlowLine](), list[FlowLine]()
    body = body_style(flow) if flow else None
    i = 0
    while body and i < len(flow):
        end = caption_end(flow, i, body)
        captions += of_kind(Kind.CAPTION, flow[i:end])
        if end == i:
            after = bool(captions) and captions[-1].line is flow[i - 1].line
            is_cut = after and bool(text) and text[-1].text[-1:] not in ENDS
            top = replace(flow[i], above=None)
            text.append(continued(text[-1], top, body) if is_cut else flow[i])
        i = max(end, i + 1)
    return ProseFlow(text, captions)


def caption_end(flow: Sequence[FlowLine], start: int, body: TextStyle) -> int:
    """End of the caption that begins at `start`; `start` itself if none begins there."""
    found = NAMED.match(flow[start].text)
    if not found:
        return start
    end = start + 1
    while end < len(flow) and continues(flow[end - 1], flow[end]) and flow[end].above is not None:
        end += 1
    if any(LEADER.search(each.text) for each in flow[start:end]):  # a list of tables names them, too
        return start
    style = flow[start].line.style
    other_type = abs(style.size - body.size) > 0.03 * body.size or (style.italic, style.font) != (body.italic, body.font)
    unlike = other_type or flow[start].is_centred
    return end if stands_alone(flow, start, end, body) and (unlike or found["end"] in ".:—–") else start


FRONT = Chapter(-1, None, None)
NOTES = re.compile(r"^(?:end|foot)?notes?(?:\s+(?:to|on|for)\s+.*)?$", re.IGNORECASE)
MIN_WORDS = 8  # of prose before the first chapter: lines of a title page have fewer


@dataclass(frozen=True, slots=True)
class TextBlock:
    """Lines that are one paragraph, note or caption. opens: whether a heading stands directly before it."""

    kind: Kind
    chapter: Chapter
    section_path: tuple[str, ...]
    lines: tuple[FlowLine, ...]
    opens: bool = False


def apart_blocks(lines: Iterable[FlowLine]) -> Iterator[TextBlock]:
    """The notes, captions, displays and tables among lines that are apart from the text."""
    units: defaultdict[Kind, list[list[FlowLine]]] = defaultdict(list)
    for each in sorted(lines, key=lambda each: each.order):
        begins = mark_of(each.line) is not None if each.kind is Kind.FOOTNOTE else not each.goes_on
        if begins or not units[each.kind]:
            units[each.kind].append([])
        units[each.kind][-1].append(each)  # a note without a mark continues one of the page before
    yield from (TextBlock(own_kind(unit) or kind, FRONT, (), tuple(unit)) for kind, own in units.items() for unit in own)


class Stretch(NamedTuple):
    """Text [start, end) of the flow under one heading, which begins at head. kind: what that says it holds instead of prose."""

    head: int
    start: int
    end: int
    chapter: Chapter
    section_path: tuple[str, ...]
    opens: bool
    notes: bool
    kind: Kind | None


def text_blocks(
    flow: Sequence[FlowLine], structure: Structure, contents: PrintedContents | None, habits: Habits
) -> Iterator[TextBlock]:
    """The paragraphs of the text in reading order, and the printed contents."""
    size = body_style(flow).size if flow else 0.0
    lines = Counter(each.page for each in flow)
    counts = Counter(each.page for each in flow if each.text[-1].isdigit())
    led = Counter(each.page for each in flow if LED.search(each.text))  # contents, whatever their heading
    listed_pages = {page for page, n in led.items() if n >= max(LED_LINES, LED_SHARE * lines[page])}
    opening = {flow[each.start].page for each in structure.divisions if each.start < len(flow)}
    text = {
        each.page: each.order
        for i, each in reversed([*enumerate(flow)])
        if is_body_size(each.line, size) and is_running(flow, i)
    }
    first_text = min(text, default=0)
    for stretch in stretches(len(flow), structure):
        paragraphs = list(paragraphs_in(flow, stretch, contents, habits))
        whole = stretch.kind if stretch.kind and holds(stretch.kind, paragraphs) else None
        for paragraph in paragraphs:
            if not any(c.isalnum() for each in paragraph for c in each.text):  # ornaments
                continue
            opens = stretch.opens and paragraph[0] is flow[stretch.start]
            small = all(each.line.size <= SMALLER * size for each in paragraph)
            note = stretch.notes and (small or mark_of(paragraph[0].line) is not None)
            numbers = not any(c.isalpha() for each in paragraph for c in each.text)  # in a drawing
            is_caption = numbers or all(each.line.size < TINY * size for each in paragraph)
            default = Kind.FOOTNOTE if note else Kind.CAPTION if is_caption else Kind.SENTENCE
            page = paragraph[0].page  # one without running text is a title page before the text, or with few lines
            kind = Kind.CONTENTS if page in listed_pages else whole or own_kind(paragraph) or default
            block = TextBlock(kind, stretch.chapter, stretch.section_path, tuple(paragraph), opens)
            stated = page in opening and STATED.match(paragraph[0].text)  # on the first page of a syllabus
            of_titles = page < first_text or lines[page] < FEW_LINES or 2 * counts[page] > lines[page]
            above = paragraph[0].order < text[page] if page in text else of_titles
            front = stretch.chapter is FRONT and kind is Kind.SENTENCE and structure.source != "none"
            of_title_page = front and not stated and above and not is_prose(block)
            yield replace(block, kind=Kind.CONTENTS) if of_title_page else block
        if contents and (own := flow[max(contents.start, stretch.start) : min(contents.end, stretch.end)]):
            yield TextBlock(Kind.CONTENTS, FRONT, (), tuple(own))


def paragraphs_in(
    flow: Sequence[FlowLine], stretch: Stretch, contents: PrintedContents | None, habits: Habits
) -> list[Sequence[FlowLine]]:
    """The paragraphs of one stretch, without the printed contents."""
    start, end = (contents.start, contents.end) if contents else (0, 0)
    inside = [each for i, each in enumerate(flow[stretch.start : stretch.end], stretch.start) if not start <= i < end]
    own = habits_of(inside)
    return paragraphs_of(inside, replace(habits, hangs=own.hangs) if stretch.kind is None or not inside else own)


def is_prose(block: TextBlock) -> bool:
    """Whether a block of the front matter is prose and not a line of a title page."""
    text = " ".join(line.text for line in block.lines)
    return len(text.split()) >= MIN_WORDS and text[-1] in '.!?”’"…)'


def stretches(length: int, structure: Structure) -> Iterator[Stretch]:
    """The text between headings with its chapter and sections; chapters are counted in order."""
    chapter, above, count, head, start, opens = FRONT, list[Division](), 0, 0, 0, False
    notes, kind = False, None
    ruling: Division | None = None  # the heading that says of its sections, too, what they hold
    for division in structure.divisions:
        yield Stretch(head, start, division.start, chapter, path_of(above, structure), opens, notes, kind)
        notes = bool(NOTES.match(division.title or ""))
        letter = kind is Kind.INDEX and len(name_of(division)) == 1  # a part of it, whatever its look
        if ruling is None or not (letter or division.level > max(ruling.level, structure.chapter_level)):
            kind = section_kind(division.title)
            ruling = division if kind else None
        if 0 < division.level <= structure.chapter_level:
            chapter, above = Chapter(count, division.number, division.title), [division]
            count += 1
        elif division.level:
            above = [*(d for d in above if d.level < division.level), division]
        head, start, opens = division.start, division.end, True
    yield Stretch(head, start, length, chapter, path_of(above, structure), opens, notes, kind)


def path_of(above: Iterable[Division], structure: Structure) -> tuple[str, ...]:
    """Names of the sections below the chapter, outermost first."""
    return tuple(name_of(d) for d in above if d.level > structure.chapter_level)


def name_of(division: Division) -> str:
    return " ".join(part for part in (division.number, division.title) if part)


SEPARATE = frozenset({Kind.CONTENTS, Kind.CAPTION, Kind.SIDENOTE})  # a chapter has something else


def merge(
    blocks: Iterable[TextBlock], apart: Iterable[FlowLine], text: Sequence[FlowLine], structure: Structure
) -> list[TextBlock]:
    """The blocks and those apart from the text in order, each in its chapter. text: that the structure counts."""
    ruling = [(text[each.head].order, each) for each in stretches(len(text), structure) if each.head < len(text)]
    found = list(blocks)
    for block in apart_blocks(apart):
        n = bisect_right(ruling, block.lines[0].order, key=lambda pair: pair[0])
        own = ruling[n - 1][1] if n else None
        found.append(replace(block, chapter=own.chapter, section_path=own.section_path) if own else block)
    return rejoined(sorted(found, key=lambda block: (block.lines[0].order, block.lines[0].line.tokens[0].x0)))


def rejoined(blocks: Iterable[TextBlock]) -> list[TextBlock]:
    """The blocks; two paragraphs are one where only the first ends within a sentence, in a full line, and the second begins so
    after what stands between them, which is no formula, or on the next page."""
    out, waiting = list[TextBlock](), list[int]()  # the indices of those that end so
    for block in blocks:
        first, n = block.lines[0], len(out)
        begins = block.kind is Kind.SENTENCE and begins_small(first.text) and not begins_item(first)
        own = [i for i in waiting if begins and is_before(out[i], block)]
        near = (i for i in waiting if i not in own and out[i].lines[-1].page >= first.page - 1)
        if len(own) == 1 and (own[0] < n - 1 or first.above is None):
            beside = (" ".join(each.text for each in other.lines) for other in (*out[own[0] + 1 :][:1], out[-1]))
            n = own[0] if all(bare_number(text) or has_words(text) for text in beside) else n
        whole = replace(out[n], lines=(*out[n].lines, *block.lines)) if n < len(out) else block
        out[n : n + 1] = [whole]
        waiting = [*near, *([n] if is_open(whole) else [])]
    return out


def is_open(block: TextBlock) -> bool:
    """Whether a paragraph ends within a sentence, and not at a display."""
    last = block.lines[-1]
    return block.kind is Kind.SENTENCE and not last.is_cut and not is_ended(NUMBERED.sub("", last.text), f"{STOPS}:;")


NUMBERED = re.compile(r"\s?\(\w+\)$")  # "clause (1)"
NEXT = 1.05  # × the leading: a line no further below another is simply the next one
FEWEST = 4  # words of the last line of such a paragraph


def is_before(a: TextBlock, b: TextBlock) -> bool:
    """Whether a paragraph may be the rest of another one of its width and type, on that page or the next: the last line of that
    and its own first one are full, and nothing follows or precedes them as the lines of one text do."""
    lines = (a.lines[-1], *b.lines[:2])
    wide = max(each.line.width for each in (*a.lines, *b.lines)) - SLACK * lines[0].line.size
    full = all(wide <= each.line.width + after.line.tokens[0].x1 - after.line.x0 for each, after in pairwise(lines))
    near = (
        a.chapter == b.chapter
        and lines[1].page - lines[0].page in (0, 1)
        and min(lines[0].below or WIDE, lines[1].above or WIDE) > NEXT
    )
    alike = abs(largest(lines[0]) - largest(lines[1])) <= ALIKE * largest(lines[1])
    return near and alike and full and len(a.lines) > 1 and len(lines[0].line.tokens) >= FEWEST


def renumbered(blocks: Sequence[TextBlock]) -> list[TextBlock]:
    """Chapters counted again from 0 after those without text (empty parts; not an index that is named) were left out: what they
    hold belongs to the chapter before."""
    named = (b.chapter.index for b in blocks if b.kind not in SEPARATE or section_kind(b.chapter.title) is Kind.INDEX)
    held = sorted(set(named) - {-1})
    chapters = {index: replace(b.chapter, index=held.index(index)) for b in blocks if (index := b.chapter.index) in held}
    own = ((block, bisect_right(held, block.chapter.index)) for block in blocks)
    return [replace(block, chapter=chapters[held[n - 1]] if n else FRONT) for block, n in own]
