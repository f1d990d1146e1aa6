"""The printed contents of a book: where they stand, and the divisions they announce."""

import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from bookreader.pdf.flow import FlowLine
from bookreader.pdf.headings import PdfHeading
from bookreader.pdf.read import OutlineEntry

CONTENTS = re.compile(r"^(?:the\s+|table\s+of\s+|list\s+of\s+)?contents\W*$", re.IGNORECASE)
FRONT_SHARE, FRONT_PAGES = 0.2, 6  # a contents page stands within this share of the book, or among its first pages
ENTRIES = 0.35  # of the lines of a contents page, at least, end an entry
MIN_LETTERS = 6
AROUND_TEXT = re.compile(  # entries of an outline that name no part of the text
    r"^(?:(?:the )?(?:full |half[- ]?|short )?title(?:[- ]?page)?|(?:front |back |inside )?cover(?: page)?"
    r"|(?:front|main|back|end) ?matter|(?:table of |list of )?(?:contents|figures|tables|illustrations|plates|maps)"
    r"|(?:pg |project gutenberg(?:['’]s)? )?(?:boiler ?plate|licen[cs]e)|copyright(?: page)?|imprint|frontispiece|credits"
    r"|colophon|transcriber['’]?s['’]? notes?|blank page|(?:general )?index)\W*$",
    re.IGNORECASE,
)
LEADER = re.compile(r"(?:[\s_–—-]*(?:[.·•…_]\s*){2,}|\s+)(?P<label>\d{1,4}|[ivxlc]{1,7})$")
LIST_NUMBER = re.compile(r"^\d{1,3}\.\s+(?=\S)")


def letters(text: str) -> str:
    """A title's small letters and digits, which its spellings share."""
    return "".join(c for c in unicodedata.normalize("NFKD", text).casefold() if c.isalnum())


@dataclass(frozen=True, slots=True)
class PrintedContents:
    """The printed contents: lines [start, end) of the flow with their heading, and the divisions they announce."""

    start: int
    end: int
    entries: tuple[OutlineEntry, ...]


def contents_of(flow: Sequence[FlowLine], headings: Sequence[PdfHeading], pages: int) -> PrintedContents | None:
    """The printed contents, found by their heading in the front of the book; they continue over pages full of entries."""
    last = max(FRONT_PAGES, FRONT_SHARE * pages)
    head = next((h for h in headings if h.page <= last and CONTENTS.match(h.text)), None)
    if head is None:
        return None
    end = head.end
    names = "|".join(letters(h.text) for h in headings)
    chapters = {h.start for h in headings if h.start > head.start and h.look.size >= head.look.size}
    while end < len(flow) and end not in chapters and (flow[end].page == head.page or goes_on(flow, end, names)):
        end += 1
    return PrintedContents(head.start, end, tuple(entries_in(flow[head.end : end])))


def goes_on(flow: Sequence[FlowLine], start: int, names: str) -> bool:
    """Whether the page at `start` continues the contents: most of its lines are entries."""
    if flow[start - 1].page == flow[start].page:
        return True
    page = [each for each in flow[start : start + 120] if each.page == flow[start].page]
    return sum(is_entry(each, names) for each in page) >= ENTRIES * len(page)


def is_entry(each: FlowLine, names: str) -> bool:
    """Whether a line looks like one of the contents: with a page number at its end, a list number, or the words of a named
    heading."""
    words = letters(each.text)
    return bool(LEADER.search(each.text) or LIST_NUMBER.match(each.text)) or (len(words) >= MIN_LETTERS and words in names)


def start_of(each: FlowLine) -> float:
    """Where the words of an entry begin, after a list number ("10.")."""
    first, *rest = each.line.tokens
    return rest[0].x0 if rest and LIST_NUMBER.match(f"{first.text} x") else first.x0


def indents_of(lines: Sequence[FlowLine]) -> list[float]:
    """Places between the indents of entries: one for every jump of more than 6 points."""
    starts = sorted(start_of(each) for each in lines)
    return [(a + b) / 2 for a, b in pairwise(starts) if b - a > 6]


def entries_in(lines: Sequence[FlowLine]) -> list[OutlineEntry]:
    """One entry for every line, except lines that continue the one before."""
    entries: list[OutlineEntry] = []
    steps = [] if mostly(each.is_centred for each in lines) else indents_of(lines)
    numbered = mostly(LIST_NUMBER.match(each.text) for each in lines)
    labelled = mostly(LEADER.search(each.text) for each in lines)
    open_line = False
    for each in lines:
        found = LEADER.search(each.text)
        text = LIST_NUMBER.sub("", each.text[: found.start()] if found else each.text).strip()
        level = 1 + sum(start_of(each) > step for step in steps)
        goes_on = not LIST_NUMBER.match(each.text) if numbered else open_line and (labelled or level > entries[-1].level)
        if entries and goes_on:
            entries[-1] = replace(entries[-1], text=f"{entries[-1].text} {text}")
        else:
            entries.append(OutlineEntry(level, text, None))
        open_line = not found
    return graded(entries)


SECTION = re.compile(r"^\d+(?:\.\d+)+\b")
FEW = 3  # sections among chapters


def graded(entries: Sequence[OutlineEntry]) -> list[OutlineEntry]:
    """The entries; those numbered as sections ("1.1") stand below the others of their level, though not set in."""
    both = {
        level
        for level in {entry.level for entry in entries}
        if len(own := [bool(SECTION.match(entry.text)) for entry in entries if entry.level == level]) > sum(own) >= FEW
    }
    return [
        replace(entry, level=entry.level + entry.text.split()[0].rstrip(".").count("."))
        if entry.level in both and SECTION.match(entry.text)
        else entry
        for entry in entries
    ]


def mostly(signs: Iterable[object]) -> bool:
    """Whether more than half of the signs are true."""
    seen = [bool(sign) for sign in signs]
    return sum(seen) > 0.6 * len(seen)
