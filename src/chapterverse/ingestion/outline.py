"""What a book says of its own divisions: the PDF's outline, and the printed contents page."""

import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import pymupdf

from chapterverse.ingestion.flow import FlowLine
from chapterverse.ingestion.headings import Heading

CONTENTS = re.compile(r"^(?:the\s+|table\s+of\s+|list\s+of\s+)?contents\W*$", re.IGNORECASE)
FRONT_SHARE, FRONT_PAGES = 0.2, 6  # a contents page stands within this share of the book, or among its first pages
ENTRIES = 0.35  # of the lines of a contents page: so many at least are ends of entries, however long these are
LEAST_LETTERS = 6
LEADER = re.compile(r"(?:[\s_–—-]*(?:[.·•…_]\s*){2,}|\s+)(?P<label>\d{1,4}|[ivxlc]{1,7})$")
LIST_NUMBER = re.compile(r"^\d{1,3}\.\s+(?=\S)")


def letters(text: str) -> str:
    """Only what two spellings of a title share: small letters and digits."""
    return "".join(c for c in unicodedata.normalize("NFKD", text).casefold() if c.isalnum())


@dataclass(frozen=True, slots=True)
class Entry:
    """One division as announced. level: 1 = outermost. page: index, None where only the contents page names it."""

    level: int
    text: str
    page: int | None


@dataclass(frozen=True, slots=True)
class Contents:
    """The printed contents: lines [start, end) of the flow, its heading included, and what they announce."""

    start: int
    end: int
    entries: tuple[Entry, ...]


def outline_of(document: pymupdf.Document) -> list[Entry]:
    """The PDF's outline; levels that hold only the book itself are taken off, and entries that lead nowhere left out."""
    entries = [Entry(level, " ".join(title.split()), page - 1) for level, title, page in document.get_toc() if title.strip()]
    inside = [entry for entry in entries if entry.page is not None and 0 <= entry.page < document.page_count]
    return without_root(inside)


def without_root(entries: Sequence[Entry]) -> list[Entry]:
    """Entries without a first one that is the only one of its level and holds all others (the book's title)."""
    rest = list(entries)
    while (
        len(rest) > 1
        and sum(entry.level == rest[0].level for entry in rest) == 1
        and all(entry.level > rest[0].level for entry in rest[1:])
    ):
        rest = rest[1:]
    top = min((entry.level for entry in rest), default=1)
    return [replace(entry, level=entry.level - top + 1) for entry in rest]


def contents_of(flow: Sequence[FlowLine], headings: Sequence[Heading], pages: int) -> Contents | None:
    """The printed contents, found by its heading in the front of the book; it runs on over pages full of entries."""
    last = max(FRONT_PAGES, FRONT_SHARE * pages)
    head = next((h for h in headings if h.page <= last and CONTENTS.match(h.text)), None)
    if head is None:
        return None
    end = head.end
    names = "|".join(letters(h.text) for h in headings)
    chapters = {h.start for h in headings if h.start > head.start and h.look.size >= head.look.size}
    while end < len(flow) and end not in chapters and (flow[end].page == head.page or goes_on(flow, end, names)):
        end += 1
    return Contents(head.start, end, tuple(entries_in(flow[head.end : end])))


def goes_on(flow: Sequence[FlowLine], start: int, names: str) -> bool:
    """Whether the page that begins at `start` (or that it stands on) is contents too: most of its lines are entries."""
    if flow[start - 1].page == flow[start].page:
        return True
    page = [each for each in flow[start : start + 120] if each.page == flow[start].page]
    return sum(is_entry(each, names) for each in page) >= ENTRIES * len(page)


def is_entry(each: FlowLine, names: str) -> bool:
    """Whether a line reads like one of a contents page: it ends in a page number, is numbered as in a list, or is (part of) one
    of the headings named."""
    words = letters(each.text)
    return bool(LEADER.search(each.text) or LIST_NUMBER.match(each.text)) or (len(words) >= LEAST_LETTERS and words in names)


def start_of(each: FlowLine) -> float:
    """Where the words of an entry begin, its list number ("10.") aside."""
    first, *rest = each.line.tokens
    return rest[0].x0 if rest and LIST_NUMBER.match(f"{first.text} x") else first.x0


def indents_of(lines: Sequence[FlowLine]) -> list[float]:
    """The places between the indents that entries have: one for every jump of more than 6 points."""
    starts = sorted(start_of(each) for each in lines)
    return [(a + b) / 2 for a, b in pairwise(starts) if b - a > 6]


def entries_in(lines: Sequence[FlowLine]) -> list[Entry]:
    """One entry for every line but those that go on with the one before."""
    entries: list[Entry] = []
    steps = [] if most(each.is_centred for each in lines) else indents_of(lines)
    numbered = most(LIST_NUMBER.match(each.text) for each in lines)
    labelled = most(LEADER.search(each.text) for each in lines)
    open_line = False
    for each in lines:
        found = LEADER.search(each.text)
        text = LIST_NUMBER.sub("", each.text[: found.start()] if found else each.text).strip()
        level = 1 + sum(start_of(each) > step for step in steps)
        goes_on = not LIST_NUMBER.match(each.text) if numbered else open_line and (labelled or level > entries[-1].level)
        if entries and goes_on:
            entries[-1] = replace(entries[-1], text=f"{entries[-1].text} {text}")
        else:
            entries.append(Entry(level, text, None))
        open_line = not found
    return entries


def most(signs: Iterable[object]) -> bool:
    """Whether most of some signs are there."""
    seen = [bool(sign) for sign in signs]
    return sum(seen) > 0.6 * len(seen)
