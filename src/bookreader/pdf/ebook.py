"""The text of an e-book from the lines on its set pages and the marks that its PDF carries: blocks, headings, chapters.

Nothing is guessed from the look: the marks say where each block begins and what it is, and the navigation which divisions
there are."""

import json
import re
from bisect import bisect_left, bisect_right
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

import pymupdf

from bookreader.book import Kind
from bookreader.numerals import to_roman
from bookreader.pdf.chapters import (
    Division,
    OutlineEntry,
    Structure,
    alike,
    as_chapters,
    chapter_level_of,
    dividing_level,
    division_of,
    letters,
    without_root,
)
from bookreader.pdf.flow import FlowLine, join
from bookreader.pdf.frame import rows_of
from bookreader.pdf.headings import commonest, heading_at, part_number
from bookreader.pdf.kinds import FRONT, TextBlock, holds, is_prose, stretches
from bookreader.pdf.model import BlockMark, EbookMarks, EntryMark, Line, PageMark, PdfPage, line_of
from bookreader.pdf.prose import SOFT

MARKS = "ChapterverseMarks"  # a key of the PDF's catalog: a stream of JSON
INEXACT = 0x010203  # the colour, nearly black, of formulas that text cannot give
BULLETS = "•◦▪■□●○‣⁃–-"
HEADING = re.compile(r"h[1-6]")
FOUND_SHARE = 0.5  # of the navigation's entries must be found in the text for it to be trusted
NEAR = 4  # blocks: a heading is no further from the place that the navigation names
SLIP = 1.0  # points: a block's mark is at the foot of its first line
FEW_WORDS = 15  # of a block that may stand before a heading: a number, a motto's source


def store(marks: EbookMarks, pdf: pymupdf.Document) -> None:
    """Write the marks into the PDF."""
    xref = pdf.get_new_xref()
    pdf.update_object(xref, "<<>>")
    pdf.update_stream(xref, json.dumps([*marks[:3], sorted(marks.calls)]).encode())
    pdf.xref_set_key(pdf.pdf_catalog(), MARKS, f"{xref} 0 R")


def ebook_marks(document: pymupdf.Document) -> EbookMarks | None:
    """The marks in a PDF made by pdf_of; None for any other PDF."""
    kind, reference = document.xref_get_key(document.pdf_catalog(), MARKS)
    if kind != "xref":
        return None
    try:
        pages, blocks, entries, calls = json.loads(document.xref_stream(int(reference.split()[0])))
        return EbookMarks(
            tuple(PageMark(int(page), float(y), float(x), str(label)) for page, y, x, label in pages),
            tuple(BlockMark(int(page), float(y), str(kind), str(item)) for page, y, kind, item in blocks),
            tuple(EntryMark(int(page), float(y), int(level), str(title)) for page, y, level, title in entries),
            frozenset(map(str, calls)),
        )
    except (ValueError, TypeError):  # a PDF of somebody else that has this key
        return None


@dataclass(frozen=True, slots=True)
class EbookPassage:
    """The lines [start, end) of the flow that are one block. kind: as in BlockMark."""

    start: int
    end: int
    kind: str

    @property
    def is_heading(self) -> bool:
        return HEADING.fullmatch(self.kind) is not None


@dataclass(frozen=True, slots=True)
class EbookText:
    """The lines of an e-book in order, its blocks and its divisions."""

    flow: tuple[FlowLine, ...]
    passages: tuple[EbookPassage, ...]
    structure: Structure


def ebook_text(pages: Sequence[PdfPage], marks: EbookMarks) -> EbookText | None:
    """The text; None if the files name neither headings nor a navigation that fits: then the look of the pages decides."""
    flow, passages = passages_of(pages, marks.blocks)
    structure = by_navigation(flow, passages, marks.entries) or by_headings(flow, passages)
    return EbookText(flow, passages, structure) if structure else None


def passages_of(pages: Sequence[PdfPage], marks: Sequence[BlockMark]) -> tuple[tuple[FlowLine, ...], tuple[EbookPassage, ...]]:
    """All lines in order, and the blocks that they make."""
    begins = [(mark.page, mark.y) for mark in marks]
    lines = [line for page in pages for row in rows_of(page.lines) for line in row]
    left, right = min((line.x0 for line in lines), default=0.0), max((line.x1 for line in lines), default=0.0)
    flow: list[FlowLine] = []
    passages: list[EbookPassage] = []
    for n, run in groupby(lines, key=lambda line: bisect_right(begins, (line.page, line.baseline + SLIP)) - 1):
        mark = marks[n] if n >= 0 else BlockMark(0, 0.0, Kind.SENTENCE, "")
        printed = list(run)
        if mark.kind == Kind.TABLE:  # the cells of a row are one line
            by_page = groupby(printed, key=lambda line: line.page)
            whole = [join(page, row) for page, on_page in by_page for row in rows_of(on_page)]
        else:
            whole = without_item(printed, mark.item)
        own = [FlowLine(as_in_file(line), left, right, None, None) for line in whole]
        if own:
            passages.append(EbookPassage(len(flow), len(flow) + len(own), mark.kind))
            flow += own
    return tuple(flow), tuple(passages)


def as_in_file(line: Line) -> Line:
    """The line, with words of formulas that text cannot give marked as not exact, and with its hyphens: in many fonts they are
    the glyph of the soft hyphen, which no set page has."""
    if all(token.style.color != INEXACT and SOFT not in token.text for token in line.tokens):
        return line
    tokens = [
        token._replace(text=token.text.replace(SOFT, "-"), exact=token.exact and token.style.color != INEXACT)
        for token in line.tokens
    ]
    return line_of(line.page, tokens, line.baseline)


def without_item(lines: Sequence[Line], item: str) -> list[Line]:
    """The lines without the bullet or number before a list's item."""
    first, *others = lines
    if not item or not is_item(first.tokens[0].text, item):
        return [*lines]
    rest = first.tokens[1:]
    return [line_of(first.page, (rest[0]._replace(glued=False), *rest[1:]), first.baseline), *others] if rest else others


def is_item(text: str, item: str) -> bool:
    """Whether a word is the item's bullet, or its number as a list may show it: "4.", "d.", "iv."."""
    if item == "*":
        return text in BULLETS
    number = int(item)
    letter = chr(ord("a") + number - 1) if 1 <= number <= 26 else ""
    return text[-1:] in ".)" and text.strip(".()").casefold() in (item, letter, to_roman(number))


def by_navigation(flow: Sequence[FlowLine], passages: Sequence[EbookPassage], marks: Sequence[EntryMark]) -> Structure | None:
    """The divisions that the navigation names, where it leads to; other headings are sections below the chapters. None if
    the text has few of its titles."""
    named = without_root([OutlineEntry(mark.level, mark.title, mark.page) for mark in marks])
    begins = [(flow[each.start].page, flow[each.start].line.baseline + SLIP) for each in passages]
    divisions: list[Division] = []
    printed: set[OutlineEntry] = set()
    levels: dict[str, list[int]] = defaultdict(list)
    after = 0
    for entry, mark in zip(named, marks[len(marks) - len(named) :], strict=True):
        first = max(after, bisect_left(begins, (mark.page, mark.y)))
        start, end = heading_near(flow, passages, first, entry.text)
        is_there = start < len(begins) and begins[start][0] == mark.page and begins[start][1] <= mark.y + 2 * SLIP
        if end == start and is_there and passages[start].is_heading:
            end += 1  # called something else in the navigation
        if end > start:
            printed.add(entry)
            levels[passages[start].kind].append(entry.level)
        if end > start or not is_repeated(divisions, entry, flow, passages, start):
            divisions.append(division(flow, passages, start, end, entry))
            after = max(after, end)
    if not named or len(printed) < FOUND_SHARE * len(named):
        return None
    chapter_level = dividing_level(divisions, chapter_level_of(named, named), len(flow))
    known = {kind: max(chapter_level + 1, commonest(each)) for kind, each in levels.items()}
    every = with_others(flow, passages, divisions, known, chapter_level)
    unprinted = len(named) - len(printed)
    return Structure(as_chapters(every, chapter_level), chapter_level, "outline", len(named), unprinted)


def heading_near(flow: Sequence[FlowLine], passages: Sequence[EbookPassage], first: int, title: str) -> tuple[int, int]:
    """The blocks [start, end) that are the heading of a title, at the place that the navigation names or soon after; empty if
    they are not printed."""
    for i in range(first, min(first + NEAR, len(passages))):
        if end := heading_end(flow, passages, i, title):
            return i, end
        if len(text_of(flow, passages[i]).split()) > FEW_WORDS:
            break
    return first, first


def heading_end(flow: Sequence[FlowLine], passages: Sequence[EbookPassage], i: int, title: str) -> int:
    """The end of the blocks from i on that together read like the title; 0 if they do not."""
    heading = heading_at(flow, passages[i].start, passages[i].end) if passages[i].is_heading else None
    if heading and alike(heading, title):
        alone = heading.title is None and i + 1 < len(passages) and passages[i + 1].is_heading
        return i + 1 + alone  # the number, then the title
    wanted, have = letters(title), ""
    for j in range(i, min(i + NEAR, len(passages))):
        have += letters(text_of(flow, passages[j]))
        if have == wanted:
            return j + 1
        if not have or not wanted.startswith(have):
            break
    return 0


def is_repeated(
    divisions: Sequence[Division], entry: OutlineEntry, flow: Sequence[FlowLine], passages: Sequence[EbookPassage], i: int
) -> bool:
    """Whether an entry that is not printed repeats the one before it: a chapter's first entry is often the chapter itself."""
    begin = passages[i].start if i < len(passages) else len(flow)
    return bool(divisions) and divisions[-1].end == begin and letters(entry.text).endswith(letters(divisions[-1].title or "-"))


def division(flow: Sequence[FlowLine], passages: Sequence[EbookPassage], start: int, end: int, entry: OutlineEntry) -> Division:
    """The division of an entry; its title is the navigation's, and the heading's after a mere number."""
    number, title = part_number((entry.text,))
    begin = passages[start].start if start < len(passages) else len(flow)
    if end == start:
        return Division(begin, begin, entry.level, number, title)
    heading = heading_at(flow, begin, passages[end - 1].end)
    return Division(begin, heading.end, entry.level, number or heading.number, title or heading.title)


def with_others(
    flow: Sequence[FlowLine],
    passages: Sequence[EbookPassage],
    divisions: Sequence[Division],
    known: dict[str, int],
    chapter_level: int,
) -> list[Division]:
    """The divisions and all other headings, in order. known: levels of the headings of each kind in the navigation."""
    taken = [(each.start, each.end) for each in divisions]
    deepest = max([chapter_level, *known.values()])
    others = [
        division_of(heading_at(flow, each.start, each.end), known.get(each.kind, deepest + int(each.kind[1])))
        for each in passages
        if each.is_heading and not any(start <= each.start < end for start, end in taken)
    ]
    return sorted([*divisions, *others], key=lambda each: (each.start, each.end))


def by_headings(flow: Sequence[FlowLine], passages: Sequence[EbookPassage]) -> Structure | None:
    """The divisions by headings alone: chapters have the highest heading that recurs, and what is higher is a title."""
    headings = [each for each in passages if each.is_heading]
    if not headings:
        return None
    counts = Counter(each.kind for each in headings)
    ranks = sorted(counts)
    top = next((kind for kind in ranks if counts[kind] > 1), ranks[0])
    levels = {kind: max(0, int(kind[1]) - int(top[1]) + 1) for kind in ranks}
    divisions = [division_of(heading_at(flow, each.start, each.end), levels[each.kind]) for each in headings]
    return Structure(as_chapters(divisions, 1), 1, "headings")


def text_of(flow: Sequence[FlowLine], passage: EbookPassage) -> str:
    return " ".join(line.text for line in flow[passage.start : passage.end])


def ebook_blocks(text: EbookText) -> Iterator[TextBlock]:
    """The blocks of the text without its headings, each under its chapter and sections."""
    starts = [passage.start for passage in text.passages]
    names = {name for each in text.structure.divisions for name in names_of(each)}
    for stretch in stretches(len(text.flow), text.structure):
        passages = text.passages[bisect_left(starts, stretch.start) : bisect_left(starts, stretch.end)]
        paragraphs = [text.flow[each.start : each.end] for each in passages]
        whole = stretch.kind if stretch.kind and holds(stretch.kind, paragraphs) else None
        for passage in passages:
            lines = text.flow[passage.start : passage.end]
            if not any(c.isalpha() for line in lines for c in line.text):
                continue
            kind = Kind.SENTENCE if passage.is_heading else Kind(passage.kind)
            kind = whole if whole and kind is Kind.SENTENCE else kind
            listed = kind is Kind.SENTENCE and letters(text_of(text.flow, passage)) in names
            opens = stretch.opens and passage.start == stretch.start
            block = TextBlock(kind, stretch.chapter, stretch.section_path, lines, opens)
            front = stretch.chapter is FRONT and kind is Kind.SENTENCE and not is_prose(block)
            yield replace(block, kind=Kind.CONTENTS) if front or listed else block


def names_of(each: Division) -> Iterator[str]:
    """What a list of contents calls a division, as letters."""
    number, title = letters(each.number or ""), letters(each.title or "")
    yield from (name for name in (title, number + title, f"chapter{number}{title}") if name)
