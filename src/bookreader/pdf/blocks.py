"""The book as a sequence of blocks: paragraphs, footnotes, captions and side notes, each under its chapter and
sections.

Captions are taken out of the flow first, so that sentences go on across them. What is no prose has a kind of its own."""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from bookreader.book import Chapter, Kind
from bookreader.pdf.chapters import Division, PrintedContents, Structure
from bookreader.pdf.flow import FlowLine, PageInOrder, blocks_of
from bookreader.pdf.headings import ENDS, Body, body_of, continues, stands_alone
from bookreader.pdf.kinds import (
    NAMED,
    TINY,
    Display,
    Types,
    contents_pages,
    continued,
    holds,
    is_formula,
    is_same_block,
    own_kind,
    section_kind,
)
from bookreader.pdf.model import Line, PdfPage, TextStyle
from bookreader.pdf.page_artefacts import SMALLER, mark_of
from bookreader.pdf.paragraphs import STATED, Habits, habits_of, paragraphs_of

MAX_LINES = 16  # of a caption
VERB = re.compile(
    r"(?:shows?|is|are|illustrates?|gives?|displays?|depicts?|presents?|plots?|lists?|summari[sz]es|contains|and)\b"
)


@dataclass(frozen=True, slots=True)
class FlowWithCaptions:
    """The flow without captions, and the captions."""

    flow: tuple[FlowLine, ...]
    captions: tuple[tuple[FlowLine, ...], ...]


def part_captions(flow: Sequence[FlowLine]) -> FlowWithCaptions:
    """The flow parted into text and captions. After a caption within a sentence, the next line counts as the first of a
    page."""
    remaining: list[FlowLine] = []
    captions: list[tuple[FlowLine, ...]] = []
    body = body_of(flow) if flow else None
    types = Types(body, frozenset()) if body else None
    i = 0
    while i < len(flow):
        end = caption_end(flow, i, body) if body else i
        if end > i and body:
            captions.append(tuple(flow[i:end]))
        else:
            after = bool(captions) and captions[-1][-1] is flow[i - 1]
            if after and types and is_cut(remaining):
                remaining.append(continued(remaining[-1], replace(flow[i], above=None), types))
            else:
                remaining.append(flow[i])
        i = max(end, i + 1)
    return FlowWithCaptions(tuple(remaining), tuple(captions))


def is_cut(remaining: Sequence[FlowLine]) -> bool:
    """Whether the text before a caption breaks off within a sentence."""
    return bool(remaining) and remaining[-1].text[-1:] not in ENDS


def caption_end(flow: Sequence[FlowLine], start: int, body: Body) -> int:
    """End of the caption that begins at `start`; `start` itself if none begins there."""
    found = NAMED.match(flow[start].text)
    if not found:
        return start
    end = start + 1
    if end < len(flow) and is_same_block(flow[start], flow[end]) and flow[start].line.style.bold:
        end += 1  # its name alone is bold
    while end < len(flow) and end - start < MAX_LINES and continues(flow[end - 1], flow[end]) and flow[end].above is not None:
        end += 1
    if found["end"] == " " and VERB.match(flow[start].text, found.end()):
        return start
    unlike = differs(flow[start].line.style, body.style) or flow[start].is_centred
    return end if stands_alone(flow, start, end, body) and (unlike or found["end"] in ".:—–") else start


def differs(style: TextStyle, body: TextStyle) -> bool:
    """Whether a run is set in another type than the text."""
    return abs(style.size - body.size) > 0.03 * body.size or style.italic != body.italic or style.font != body.font


@dataclass(frozen=True, slots=True)
class Extra:
    """One note or caption."""

    kind: Kind
    lines: tuple[FlowLine, ...]

    @property
    def page(self) -> int:
        return self.lines[0].page


def extras_of(
    pages: Sequence[PdfPage], captioned: FlowWithCaptions, displays: Sequence[Display], ordered: Sequence[PageInOrder]
) -> list[Extra]:
    """All footnotes, captions, displays, tables and side notes."""
    extras = [extra(Kind.FOOTNOTE, note) for note in footnotes_in(pages)]
    extras += [Extra(Kind.CAPTION, caption) for caption in captioned.captions]
    extras += [Extra(display.kind, display.lines) for display in displays]
    extras += [extra(Kind.TABLE, table) for page in ordered for table in page.tables]
    extras += [extra(Kind.SIDENOTE, note) for page in pages for note in blocks_of(page.sidenotes)]
    shown = [extra(kind, rows) for page in pages for kind, rows in page.extras]  # by rules and shapes
    return [*shown, *(replace(each, kind=kind_of(each)) for each in extras)]


def kind_of(extra: Extra) -> Kind:
    """What the lines of a note, an aside or a display are by themselves."""
    if extra.kind is Kind.CAPTION and is_formula(extra.lines):
        return Kind.FORMULA
    return own_kind(extra.lines) or extra.kind


def extra(kind: Kind, lines: Iterable[Line]) -> Extra:
    """Lines outside the flow as a paragraph, each in a column of its own width."""
    return Extra(kind, tuple(FlowLine(line, line.x0, line.x1, None, None) for line in lines))


def footnotes_in(pages: Sequence[PdfPage]) -> Iterator[list[Line]]:
    """The footnotes one by one; one without a mark continues a note of the page before."""
    note: list[Line] = []
    for page in pages:
        for line in page.notes:
            if mark_of(line) and note:
                yield note
                note = []
            note.append(line)
    if note:
        yield note


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


@dataclass(frozen=True, slots=True)
class Stretch:
    """Text [start, end) of the flow under one heading, which begins at head. kind: what the heading says that it holds instead
    of prose."""

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
) -> list[TextBlock]:
    """The paragraphs of the text in reading order, and the printed contents."""
    blocks: list[TextBlock] = []
    size = body_of(flow).style.size if flow else 0.0
    listed_pages = contents_pages(flow)
    opening = {flow[each.start].page for each in structure.divisions if each.start < len(flow)}
    for stretch in stretches(len(flow), structure):
        paragraphs = list(paragraphs_in(flow, stretch, contents, habits))
        whole = stretch.kind if stretch.kind and holds(stretch.kind, paragraphs) else None
        for paragraph in paragraphs:
            if not any(c.isalnum() for each in paragraph for c in each.text):  # ornaments
                continue
            opens = stretch.opens and paragraph[0] is flow[stretch.start]
            note = stretch.notes and (is_small(paragraph, size) or mark_of(paragraph[0].line) is not None)
            numbers = not any(c.isalpha() for each in paragraph for c in each.text)  # in a drawing
            is_caption = numbers or all(each.line.size < TINY * size for each in paragraph)
            default = Kind.FOOTNOTE if note else Kind.CAPTION if is_caption else Kind.SENTENCE
            listed = paragraph[0].page in listed_pages
            kind = Kind.CONTENTS if listed else whole or own_kind(paragraph) or default
            block = TextBlock(kind, stretch.chapter, stretch.section_path, tuple(paragraph), opens)
            stated = paragraph[0].page in opening and STATED.match(paragraph[0].text)  # on the first page of a syllabus
            is_front = not stated and is_front_matter(block, structure)
            blocks.append(replace(block, kind=Kind.CONTENTS) if is_front else block)
        blocks += contents_in(flow, stretch, contents)
    return blocks


def is_front_matter(block: TextBlock, structure: Structure) -> bool:
    """Whether a block before the first chapter is no prose but a line of a title page."""
    front = block.chapter is FRONT and block.kind is Kind.SENTENCE and structure.source != "none"
    return front and not is_prose(block)


def contents_in(flow: Sequence[FlowLine], stretch: Stretch, contents: PrintedContents | None) -> Iterator[TextBlock]:
    """The part of the printed contents that stands in a stretch."""
    start, end = (max(contents.start, stretch.start), min(contents.end, stretch.end)) if contents else (0, 0)
    if start < end:
        yield TextBlock(Kind.CONTENTS, stretch.chapter, stretch.section_path, tuple(flow[start:end]))


def is_small(paragraph: Sequence[FlowLine], size: float) -> bool:
    """Whether a paragraph is set in smaller type than the text."""
    return all(each.line.size <= SMALLER * size for each in paragraph)


def paragraphs_in(
    flow: Sequence[FlowLine], stretch: Stretch, contents: PrintedContents | None, habits: Habits
) -> Iterator[list[FlowLine]]:
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
        if ruling is None or not is_under(division, ruling, structure.chapter_level):
            kind = section_kind(division.title)
            ruling = division if kind else None
        if 0 < division.level <= structure.chapter_level:
            chapter, above = Chapter(count, division.number, division.title), [division]
            count += 1
        elif division.level:
            above = [*(d for d in above if d.level < division.level), division]
        head, start, opens = division.start, division.end, True
    yield Stretch(head, start, length, chapter, path_of(above, structure), opens, notes, kind)


def is_under(division: Division, ruling: Division, chapter_level: int) -> bool:
    """Whether a division is a part of another one; a letter of an index is, whatever its look, a chapter never."""
    return division.level > max(ruling.level, chapter_level) or len(name_of(division)) == 1


def path_of(above: Iterable[Division], structure: Structure) -> tuple[str, ...]:
    """Names of the sections below the chapter, outermost first."""
    return tuple(name_of(d) for d in above if d.level > structure.chapter_level)


def name_of(division: Division) -> str:
    return " ".join(part for part in (division.number, division.title) if part)


PLACED = frozenset({Kind.TABLE})
SEPARATE = frozenset({Kind.CONTENTS, Kind.CAPTION, Kind.SIDENOTE})  # a chapter has something else


def merge(
    blocks: Sequence[TextBlock],
    extras: Sequence[Extra],
    flow: Sequence[FlowLine],
    text: Sequence[FlowLine],
    structure: Structure,
) -> list[TextBlock]:
    """The blocks and extras in order: displays and captions where they stand, other extras at the end of their page.

    flow: all lines in order. text: those that the structure counts."""
    order = Order(flow)
    ruling = [(order.of(text[each.head]), each) for each in stretches(len(text), structure) if each.head < len(text)]
    placed = [(order.of(block.lines[0]), block) for block in blocks]
    for extra in extras:
        at = order.below(extra.lines[0].line) if extra.kind in PLACED else order.of(extra.lines[0])
        stretch = next((each for start, each in reversed(ruling) if start <= at), None)
        chapter, path = (stretch.chapter, stretch.section_path) if stretch else (FRONT, ())
        placed.append((at, TextBlock(extra.kind, chapter, path, extra.lines)))
    return [block for _, block in sorted(placed, key=lambda pair: pair[0])]


def is_in_column(each: FlowLine, line: Line) -> bool:
    """Whether a line stands in the column of a line of the flow."""
    return each.left < line.x1 and line.x0 < each.right


class Order:
    """Where lines stand in the flow; a line outside it stands at the end of its page."""

    def __init__(self, flow: Sequence[FlowLine]) -> None:
        self.places = {id(each.line): float(i) for i, each in enumerate(flow)}
        self.flow = flow
        self.ends = [(each.page, i + 0.5) for i, each in enumerate(flow) if i + 1 == len(flow) or flow[i + 1].page > each.page]

    def of(self, each: FlowLine) -> float:
        """The place of a line."""
        place = self.places.get(id(each.line))
        return self.end_of(each.page) if place is None else place

    def below(self, line: Line) -> float:
        """The place after the last line of the flow that stands above a line in its column, else before the first one below it;
        the end of its page where its column is empty."""
        last = bisect_right(self.flow, line.page, key=lambda each: each.page)
        first = bisect_left(self.flow, line.page, key=lambda each: each.page)
        column = [i for i in range(first, last) if is_in_column(self.flow[i], line)]
        above = [i for i in column if self.flow[i].line.baseline < line.baseline]
        return above[-1] + 0.5 if above else column[0] - 0.5 if column else self.end_of(line.page)

    def end_of(self, page: int) -> float:
        """The end of a page, or of the last one with text before it."""
        n = bisect_right(self.ends, page, key=lambda pair: pair[0])
        return self.ends[n - 1][1] if n else -1.0


def renumbered(blocks: Sequence[TextBlock]) -> list[TextBlock]:
    """Chapters counted again from 0 after those without text (contents, empty parts) were left out: what they hold belongs to
    the chapter before."""
    held = sorted({b.chapter.index for b in blocks if b.kind not in SEPARATE} - {-1})
    chapters = {index: replace(b.chapter, index=held.index(index)) for b in blocks if (index := b.chapter.index) in held}
    out = []
    for block in blocks:
        n = bisect_right(held, block.chapter.index)
        out.append(replace(block, chapter=chapters[held[n - 1]] if n else FRONT))
    return out
