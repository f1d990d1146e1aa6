"""The book as a sequence of blocks: paragraphs, footnotes, captions, asides and side notes, each under its chapter and
sections.

Captions are taken out of the flow first, so that sentences go on across them."""

import re
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from chapterverse.core.book import Chapter, Kind
from chapterverse.library.pdf.chapters import Division, PrintedContents, Structure
from chapterverse.library.pdf.flow import FlowLine
from chapterverse.library.pdf.frame import PageWithMargins
from chapterverse.library.pdf.headings import ENDS, Body, body_of, continues, stands_alone
from chapterverse.library.pdf.model import Line, TextStyle
from chapterverse.library.pdf.notes import SMALLER, PageWithNotes, calls_on, mark_of
from chapterverse.library.pdf.paragraphs import Habits, paragraphs_of
from chapterverse.library.pdf.reading_order import PageInOrder, blocks_of

NAMED = re.compile(
    r"^(?:fig(?:ure|\.)?|table|plate|map|illustration|chart|diagram|exhibit|photo(?:graph)?|box|listing|algorithm)\s+"
    r"(?:\d+(?:[.\-–]\d+)*|[IVXLC]+|[A-Z])(?P<end>[.:—–)]|\s|$)",
    re.IGNORECASE,
)

MAX_LINES = 8


@dataclass(frozen=True, slots=True)
class FlowWithCaptions:
    """The flow without captions, and the captions."""

    flow: tuple[FlowLine, ...]
    captions: tuple[tuple[FlowLine, ...], ...]


def part_captions(flow: Sequence[FlowLine]) -> FlowWithCaptions:
    """The flow parted into text and captions. After a caption within a sentence, the next line counts as the first of a
    page."""
    kept: list[FlowLine] = []
    captions: list[tuple[FlowLine, ...]] = []
    body = body_of(flow) if flow else None
    i = 0
    while i < len(flow):
        end = caption_end(flow, i, body) if body else i
        if end > i:
            captions.append(tuple(flow[i:end]))
        else:
            after = bool(captions) and captions[-1][-1] is flow[i - 1]
            kept.append(replace(flow[i], above=None) if after and is_cut(kept) else flow[i])
        i = max(end, i + 1)
    return FlowWithCaptions(tuple(kept), tuple(captions))


def is_cut(kept: Sequence[FlowLine]) -> bool:
    """Whether the text before a caption breaks off within a sentence."""
    return bool(kept) and kept[-1].text[-1:] not in ENDS


def caption_end(flow: Sequence[FlowLine], start: int, body: Body) -> int:
    """End of the caption that begins at `start`; `start` itself if none begins there."""
    found = NAMED.match(flow[start].text)
    if not found:
        return start
    end = start + 1
    while end < len(flow) and end - start < MAX_LINES and continues(flow[end - 1], flow[end]):
        end += 1
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
    noted: Sequence[PageWithNotes],
    captioned: FlowWithCaptions,
    ordered: Sequence[PageInOrder],
    margined: Sequence[PageWithMargins],
) -> list[Extra]:
    """All footnotes, captions, asides and side notes."""
    extras = [extra(Kind.FOOTNOTE, note) for note in footnotes_in(noted)]
    extras += [Extra(Kind.CAPTION, caption) for caption in captioned.captions]
    extras += [extra(Kind.CAPTION, aside) for page in ordered for aside in page.asides]
    extras += [extra(Kind.SIDENOTE, note) for page in margined for note in blocks_of(page.sidenotes)]
    return extras


def extra(kind: Kind, lines: Iterable[Line]) -> Extra:
    """Lines outside the flow as a paragraph, each in a column of its own width."""
    return Extra(kind, tuple(FlowLine(line, line.x0, line.x1, None, None) for line in lines))


def footnotes_in(pages: Sequence[PageWithNotes]) -> Iterator[list[Line]]:
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
TINY = 0.72  # × the body's size: type that only figures are lettered in
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
    """Text [start, end) of the flow under one heading."""

    start: int
    end: int
    chapter: Chapter
    section_path: tuple[str, ...]
    opens: bool
    notes: bool


def text_blocks(
    flow: Sequence[FlowLine], structure: Structure, contents: PrintedContents | None, habits: Habits
) -> list[TextBlock]:
    """The paragraphs of the text in reading order, without printed contents and title pages."""
    blocks: list[TextBlock] = []
    size = body_of(flow).style.size if flow else 0.0
    calls = calls_on(each.line for each in flow)
    for stretch in stretches(len(flow), structure):
        for paragraph in paragraphs_in(flow, stretch, contents, habits):
            opens = stretch.opens and paragraph[0] is flow[stretch.start]
            listed = stretch.notes and (is_small(paragraph, size) or mark_of(paragraph[0].line) is not None)
            notes = listed or is_note(paragraph, size, calls) or goes_on(blocks[-1:], paragraph, size)
            figure = all(each.line.size < TINY * size for each in paragraph)
            kind = Kind.FOOTNOTE if notes else Kind.CAPTION if figure else Kind.SENTENCE
            block = TextBlock(kind, stretch.chapter, stretch.section_path, tuple(paragraph), opens)
            if not any(c.isalpha() for each in paragraph for c in each.text):  # ornaments, numbers in a drawing
                continue
            if stretch.chapter is not FRONT or is_prose(block) or structure.source == "none":
                blocks.append(block)
    return blocks


def is_note(paragraph: Sequence[FlowLine], size: float, calls: set[str]) -> bool:
    """Whether a paragraph in small type within the text is a note: it begins with the mark of a call in the book."""
    mark = mark_of(paragraph[0].line)
    called = mark is not None and any(mark in call for call in calls)
    return called and is_small(paragraph, size)


def is_small(paragraph: Sequence[FlowLine], size: float) -> bool:
    """Whether a paragraph is set in smaller type than the text."""
    return all(each.line.size <= SMALLER * size for each in paragraph)


def goes_on(last: Sequence[TextBlock], paragraph: Sequence[FlowLine], size: float) -> bool:
    """Whether a paragraph at the top of a page or column continues the note that was the last block."""
    first = paragraph[0]
    small = is_small(paragraph, size)
    notes = (block for block in last if block.kind is Kind.FOOTNOTE)
    return small and first.above is None and any(note.lines[-1].line.size == first.line.size for note in notes)


def paragraphs_in(
    flow: Sequence[FlowLine], stretch: Stretch, contents: PrintedContents | None, habits: Habits
) -> Iterator[list[FlowLine]]:
    """The paragraphs of one stretch, without the printed contents."""
    start, end = (contents.start, contents.end) if contents else (0, 0)
    inside = [each for i, each in enumerate(flow[stretch.start : stretch.end], stretch.start) if not start <= i < end]
    return paragraphs_of(inside, habits)


def is_prose(block: TextBlock) -> bool:
    """Whether a block of the front matter is prose and not a line of a title page."""
    text = " ".join(line.text for line in block.lines)
    return len(text.split()) >= MIN_WORDS and text[-1] in '.!?”’"…)'


def stretches(length: int, structure: Structure) -> Iterator[Stretch]:
    """The text between headings with its chapter and sections; chapters are counted in order."""
    chapter, above, count, start, opens = FRONT, list[Division](), 0, 0, False
    notes = False
    for division in structure.divisions:
        yield Stretch(start, division.start, chapter, path_of(above, structure), opens, notes)
        notes = bool(NOTES.match(division.title or ""))
        if 0 < division.level <= structure.chapter_level:
            chapter, above = Chapter(count, division.number, division.title), [division]
            count += 1
        elif division.level:
            above = [*(d for d in above if d.level < division.level), division]
        start, opens = division.end, True
    yield Stretch(start, length, chapter, path_of(above, structure), opens, notes)


def path_of(above: Iterable[Division], structure: Structure) -> tuple[str, ...]:
    """Names of the sections below the chapter, outermost first."""
    return tuple(name_of(d) for d in above if d.level > structure.chapter_level)


def name_of(division: Division) -> str:
    return " ".join(part for part in (division.number, division.title) if part)


def merge(blocks: Sequence[TextBlock], extras: Sequence[Extra]) -> list[TextBlock]:
    """The blocks, with each page's extras after the last paragraph that begins on it."""
    out: list[TextBlock] = []
    waiting = deque(sorted(extras, key=lambda extra: extra.page))
    chapter, path = FRONT, tuple[str, ...]()
    for block in [*blocks, None]:
        while waiting and (block is None or waiting[0].page < block.lines[0].page):
            extra = waiting.popleft()
            out.append(TextBlock(extra.kind, chapter, path, extra.lines))
        if block is not None:
            out.append(block)
            chapter, path = block.chapter, block.section_path
    return out


def renumbered(blocks: Sequence[TextBlock]) -> list[TextBlock]:
    """Chapters counted again from 0 after those without text (contents, empty parts) were left out."""
    indices = {index: n for n, index in enumerate(sorted({b.chapter.index for b in blocks} - {-1}))}
    return [b if b.chapter is FRONT else replace(b, chapter=replace(b.chapter, index=indices[b.chapter.index])) for b in blocks]
