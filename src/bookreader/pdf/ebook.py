"""The text of an e-book from the lines on its set pages and the marks that its PDF carries: blocks, headings, chapters.

Nothing is guessed from the look: the marks say where each block begins and what it is, the navigation
where divisions do."""

import json
import re
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby, pairwise

import pymupdf

from bookreader.book import Kind
from bookreader.numerals import to_roman
from bookreader.pdf.chapters import Division, OutlineEntry, Structure, as_chapters, division_of, letters, placed, structure_of
from bookreader.pdf.flow import FlowLine, join
from bookreader.pdf.frame import rows_of
from bookreader.pdf.headings import Look, PdfHeading, heading_at, merged
from bookreader.pdf.kinds import FRONT, TextBlock, holds, is_prose, stretches
from bookreader.pdf.model import BlockMark, EbookMarks, Line, PageMark, PdfPage, line_of
from bookreader.pdf.prose import SOFT

MARKS = "ChapterverseMarks"  # a key of the PDF's catalog: a stream of JSON
INEXACT = 0x010203  # the colour, nearly black, of formulas that text cannot give
BULLETS = "•◦▪■□●○‣⁃–-"
HEADING = re.compile(r"h[1-6]")
SLIP = 1.0  # points: a block's mark is at the foot of its first line
LARGEST = 100.0  # a size from which levels of headings are taken


def store(marks: EbookMarks, pdf: pymupdf.Document) -> None:
    """Write the marks into the PDF."""
    xref = pdf.get_new_xref()
    pdf.update_object(xref, "<<>>")
    pdf.update_stream(xref, json.dumps([marks.pages, marks.blocks, sorted(marks.calls)]).encode())
    pdf.xref_set_key(pdf.pdf_catalog(), MARKS, f"{xref} 0 R")


def ebook_marks(document: pymupdf.Document) -> EbookMarks | None:
    """The marks in a PDF made by pdf_of; None for any other PDF."""
    kind, reference = document.xref_get_key(document.pdf_catalog(), MARKS)
    if kind != "xref":
        return None
    try:
        pages, blocks, *_, calls = json.loads(document.xref_stream(int(reference.split()[0])))
        return EbookMarks(
            tuple(PageMark(int(page), float(y), float(x), str(label)) for page, y, x, label in pages),
            tuple(BlockMark(int(page), float(y), str(kind), str(item)) for page, y, kind, item in blocks),
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


def ebook_text(pages: Sequence[PdfPage], marks: EbookMarks, outline: Sequence[OutlineEntry]) -> EbookText | None:
    """The text; None if the files name neither headings nor a navigation that fits: then the look of the pages decides."""
    flow, passages = passages_of(pages, marks.blocks)
    headings = [each for each in passages if each.is_heading]
    named = [b for a, b in pairwise([None, *outline]) if b and not (a and (a.text, a.page) == (b.text, b.page))]  # once each
    structure = structure_of(flow, found_in(flow, headings), named, None)
    if structure.source == "outline":
        return EbookText(flow, passages, with_unprinted(flow, structure, named))
    return EbookText(flow, passages, by_headings(flow, headings)) if headings else None


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


def found_in(flow: Sequence[FlowLine], headings: Sequence[EbookPassage]) -> list[PdfHeading]:
    """The headings, a number and its title as one. Their look says how high each is, and nothing else."""
    levels = {each.start: int(each.kind[1]) for each in headings}
    runs = merged([(each.start, each.end) for each in headings], flow)
    looks = {start: Look(LARGEST - level, True, False, False, 0, False) for start, level in levels.items()}
    return [replace(heading_at(flow, start, end), look=looks[start]) for start, end in runs]


def with_unprinted(flow: Sequence[FlowLine], structure: Structure, named: Sequence[OutlineEntry]) -> Structure:
    """The structure, with what only the navigation names above the chapters ("Epigraph"), if it has pages of its own."""
    begun = {flow[each.start].page for each in structure.divisions if each.level and each.start < len(flow)}
    missing = [each for each in named if each.level < structure.chapter_level and each.page not in begun]
    divisions = sorted([*structure.divisions, *placed(flow, missing)], key=lambda each: each.start)
    return replace(structure, divisions=as_chapters(divisions, structure.chapter_level))


def by_headings(flow: Sequence[FlowLine], headings: Sequence[EbookPassage]) -> Structure:
    """The divisions by headings alone: chapters have the highest heading that recurs, and what is higher is a title."""
    counts = Counter(each.kind for each in headings)
    ranks = sorted(counts)
    top = next((kind for kind in ranks if counts[kind] > 1), ranks[0])
    levels = {kind: max(0, int(kind[1]) - int(top[1]) + 1) for kind in ranks}
    divisions = [division_of(heading_at(flow, each.start, each.end), levels[each.kind]) for each in headings]
    return Structure(as_chapters(divisions, 1), 1, "headings")


def ebook_blocks(text: EbookText) -> Iterator[TextBlock]:
    """The blocks of the text without its headings, each under its chapter and sections."""
    starts = [passage.start for passage in text.passages]
    names = {name for each in text.structure.divisions for name in names_of(each)}
    for stretch in stretches(len(text.flow), text.structure):
        passages = text.passages[bisect_left(starts, stretch.start) : bisect_left(starts, stretch.end)]
        paragraphs = [text.flow[each.start : each.end] for each in passages]
        whole = stretch.kind if stretch.kind and holds(stretch.kind, paragraphs) else None
        for passage, lines in zip(passages, paragraphs, strict=True):
            if not any(c.isalpha() for line in lines for c in line.text):
                continue
            kind = Kind.SENTENCE if passage.is_heading else Kind(passage.kind)
            opens = stretch.opens and passage.start == stretch.start
            block = TextBlock(kind, stretch.chapter, stretch.section_path, lines, opens)
            prose = whole is Kind.CONTENTS and block.section_path and is_prose(block)  # "Keywords", of a programming language
            if whole and kind in (Kind.SENTENCE, Kind.TABLE) and not prose:
                block = replace(block, kind=whole)
            listed = block.kind is Kind.SENTENCE and letters(" ".join(line.text for line in lines)) in names
            front = stretch.chapter is FRONT and block.kind is Kind.SENTENCE and not is_prose(block)
            yield replace(block, kind=Kind.CONTENTS) if front or listed else block


def names_of(each: Division) -> Iterator[str]:
    """What a list of contents calls a division, as letters."""
    number, title = letters(each.number or ""), letters(each.title or "")
    yield from (name for name in (title, number + title, f"chapter{number}{title}") if name)
