"""The book's divisions: chapters and sections with their titles, from the outline, the printed contents or the look of
headings.

The outline is trusted first, then the printed contents, then the look of the headings. Where a book announces its divisions,
the announcement decides which they are, and the headings decide where they begin."""

import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from itertools import pairwise, takewhile

import pymupdf

from chapterverse.library.pdf.flow import FlowLine
from chapterverse.library.pdf.headings import LARGER, Look, PdfHeading, bare_number, body_of, heading_at
from chapterverse.library.pdf.model import TextStyle

CONTENTS = re.compile(r"^(?:the\s+|table\s+of\s+|list\s+of\s+)?contents\W*$", re.IGNORECASE)
FRONT_SHARE, FRONT_PAGES = 0.2, 6  # a contents page stands within this share of the book, or among its first pages
ENTRIES = 0.35  # of the lines of a contents page, at least, end an entry
MIN_LETTERS = 6
LEADER = re.compile(r"(?:[\s_–—-]*(?:[.·•…_]\s*){2,}|\s+)(?P<label>\d{1,4}|[ivxlc]{1,7})$")
LIST_NUMBER = re.compile(r"^\d{1,3}\.\s+(?=\S)")


def letters(text: str) -> str:
    """A title's small letters and digits, which its spellings share."""
    return "".join(c for c in unicodedata.normalize("NFKD", text).casefold() if c.isalnum())


@dataclass(frozen=True, slots=True)
class OutlineEntry:
    """One announced division. level: 1 = outermost. page: index; None if only the printed contents name it."""

    level: int
    text: str
    page: int | None


@dataclass(frozen=True, slots=True)
class PrintedContents:
    """The printed contents: lines [start, end) of the flow with their heading, and the divisions they announce."""

    start: int
    end: int
    entries: tuple[OutlineEntry, ...]


def outline_of(document: pymupdf.Document) -> list[OutlineEntry]:
    """The PDF's outline, without levels that hold only the book itself and entries that lead nowhere."""
    entries = [
        OutlineEntry(level, " ".join(title.split()), page - 1) for level, title, page in document.get_toc() if title.strip()
    ]
    inside = [entry for entry in entries if entry.page is not None and 0 <= entry.page < document.page_count]
    return without_root(inside)


def without_root(entries: Sequence[OutlineEntry]) -> list[OutlineEntry]:
    """The entries without a first one that is the only one of its level and holds all others (the book's title)."""
    rest = list(entries)
    while (
        len(rest) > 1
        and sum(entry.level == rest[0].level for entry in rest) == 1
        and all(entry.level > rest[0].level for entry in rest[1:])
    ):
        rest = rest[1:]
    top = min((entry.level for entry in rest), default=1)
    return [replace(entry, level=entry.level - top + 1) for entry in rest]


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
    return entries


def mostly(signs: Iterable[object]) -> bool:
    """Whether more than half of the signs are true."""
    seen = [bool(sign) for sign in signs]
    return sum(seen) > 0.6 * len(seen)


ALIKE = 0.82  # similarity of letters from which an announced title and a heading are the same
FOUND_SHARE = 0.5  # of the announced divisions must be found for the announcement to be trusted
PART = re.compile(r"^(?:part|book|volume)\b", re.IGNORECASE)
COUNTED = re.compile(r"^(?:chapter\s+)?(\d{1,3})(?![\d]|[.]\d)", re.IGNORECASE)
CHAPTER = re.compile(r"^chapter\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Division:
    """A heading's place [start, end) in the flow (empty if announced but not printed) and its level.

    level: 1 = outermost; chapters all have the level `Structure.chapter_level`. is_title: the book's own title."""

    start: int
    end: int
    level: int
    number: str | None
    title: str | None


@dataclass(frozen=True, slots=True)
class Structure:
    """A book's divisions in order, the level its chapters have, and the source: outline, contents, headings or none."""

    divisions: tuple[Division, ...]
    chapter_level: int
    source: str


def structure_of(
    flow: Sequence[FlowLine], headings: Sequence[PdfHeading], outline: Sequence[OutlineEntry], contents: PrintedContents | None
) -> Structure:
    """The divisions, from the best source that the pages confirm."""
    body = [h for h in headings if contents is None or not contents.start <= h.start < contents.end]
    for source, entries in (("outline", outline), ("contents", contents.entries if contents else ())):
        after = contents.end if contents and source == "contents" else 0
        matches = match_entries(flow, body, entries, after)
        if len(matches) >= max(1, FOUND_SHARE * len(entries)):
            return announced(body, matches, entries, source)
    return by_look(flow, body)


def match_entries(
    flow: Sequence[FlowLine], headings: Sequence[PdfHeading], entries: Sequence[OutlineEntry], after: int
) -> list[tuple[OutlineEntry, PdfHeading]]:
    """Each entry with the heading that it announces, in order; entries with a page are also looked for among lines of that
    page."""
    found: list[tuple[OutlineEntry, PdfHeading]] = []
    position = after
    for entry in entries:
        heading = next_match(headings, entry, position) or printed(flow, entry, position)
        if heading:
            found.append((entry, heading))
            position = heading.end
    return found


def next_match(headings: Sequence[PdfHeading], entry: OutlineEntry, position: int) -> PdfHeading | None:
    """The first heading from `position` on that reads like the entry (and is on its page, if known)."""
    near = (h for h in headings if h.start >= position and (entry.page is None or abs(h.page - entry.page) <= 1))
    return next((h for h in near if alike(h, entry.text)), None)


def alike(heading: PdfHeading, text: str) -> bool:
    """Whether a heading and an announced title are the same except for case, blanks, leading numbers and small slips."""
    want = letters(text)
    return any(same(letters(form), want) for form in (heading.text, heading.title or "", heading.number or "") if form)


def same(have: str, want: str) -> bool:
    if not have or not want:
        return False
    return have == want or (min(len(have), len(want)) > 5 and SequenceMatcher(None, have, want).ratio() >= ALIKE)


def printed(flow: Sequence[FlowLine], entry: OutlineEntry, position: int) -> PdfHeading | None:
    """Lines on the entry's page that together read exactly like it, though they do not look like a heading."""
    want = letters(entry.text)
    on_page = [i for i in range(position, len(flow)) if flow[i].page == entry.page] if entry.page is not None and want else []
    for i in on_page:
        have = ""
        for j in range(i, min(i + 5, len(flow))):
            have += letters(flow[j].text)
            if have == want:
                return heading_at(flow, i, j + 1)
            if not want.startswith(have):
                break
    return None


def announced(
    headings: Sequence[PdfHeading],
    matches: Sequence[tuple[OutlineEntry, PdfHeading]],
    entries: Sequence[OutlineEntry],
    source: str,
) -> Structure:
    """Divisions with the announced levels; other headings get the level of those that look the same, else a lower one."""
    levels = {heading.start: entry.level for entry, heading in matches}
    first = min(levels, default=0)
    every = {h.start: h for h in [*headings, *(heading for _, heading in matches)]}
    usual = levels_of_looks([h for _, h in sorted(every.items())], levels)
    divisions = []
    for start, heading in sorted(every.items()):
        level = levels.get(start, usual[heading.look] if start > first else 0)
        divisions.append(division_of(heading, level))
    return Structure(tuple(divisions), chapter_level_of(entries, {entry for entry, _ in matches}), source)


def levels_of_looks(headings: Sequence[PdfHeading], levels: Mapping[int, int]) -> dict[Look, int]:
    """A level for every look: that of most of its announced headings, else the depth of its numbers ("2.3.1": 3), else one
    below that of the next larger look."""
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


def division_of(heading: PdfHeading, level: int) -> Division:
    return Division(heading.start, heading.end, level, heading.number, heading.title)


def chapter_level_of(entries: Sequence[OutlineEntry], printed_ones: Collection[OutlineEntry]) -> int:
    """1, or 2 if most outermost divisions that contain others only group chapters: parts, or names that are not printed."""
    groups = [(entry, entries_under(entries, i)) for i, entry in enumerate(entries) if entry.level == 1]
    groups = [(entry, under) for entry, under in groups if under]
    grouping = [entry for entry, under in groups if entry not in printed_ones or is_part(entry, under)]
    return 2 if groups and (len(grouping) >= 0.5 * len(groups) or counted_through([under for _, under in groups])) else 1


def counted_through(groups: Sequence[Sequence[OutlineEntry]]) -> bool:
    """Whether numbers below the outermost divisions continue from one to the next, as chapters in parts do."""
    numbers = [[int(found[1]) for entry in group if (found := COUNTED.match(entry.text))] for group in groups]
    runs = [run for run in numbers if run]
    every = [number for run in runs for number in run]
    return len(runs) > 1 and len(every) > 3 and all(b > a for a, b in pairwise(every))


def entries_under(entries: Sequence[OutlineEntry], i: int) -> list[OutlineEntry]:
    """The entries of level 2 under entry i."""
    below = takewhile(lambda entry: entry.level > 1, entries[i + 1 :])
    return [entry for entry in below if entry.level == 2]


def is_part(entry: OutlineEntry, under: Sequence[OutlineEntry]) -> bool:
    """Whether an entry is called a part, or those below it are called chapters."""
    chapters = sum(bool(CHAPTER.match(each.text)) for each in under)
    return bool(PART.match(entry.text)) or chapters >= 0.5 * len(under) or bool(under and CHAPTER.match(under[0].text))


def by_look(flow: Sequence[FlowLine], headings: Sequence[PdfHeading]) -> Structure:
    """Divisions by look alone: headings that open pages are chapters, else those of the highest look that recurs."""
    own = without_title(flow, headings)
    if not own:
        return Structure(tuple(division_of(h, 0) for h in headings), 1, "none")
    body = body_of(flow).style
    ranks = rank_looks(flow, own, body)
    divisions = [division_of(h, ranks[rank_of(h, body)] if h in own else 0) for h in headings]
    return Structure(tuple(divisions), 1, "headings")


def without_title(flow: Sequence[FlowLine], headings: Sequence[PdfHeading]) -> list[PdfHeading]:
    """The headings without those of title pages: before any prose, with a look that does not recur."""
    if not headings:
        return []
    body = body_of(flow).style
    looks = Counter(rank_of(h, body) for h in headings)
    prose = next((i for i in range(len(flow)) if is_prose(flow, i)), len(flow))
    recurring = any(n > 1 for n in looks.values())
    alone = [h for h in headings if looks[rank_of(h, body)] == 1 and h.end <= prose]
    titles = [h for h in alone if recurring or h is not alone[-1]]
    return [h for h in headings if h not in titles]


def is_prose(flow: Sequence[FlowLine], i: int) -> bool:
    """Whether a line and the two after it fill their column as running text does."""
    run = flow[i : i + 3]
    return (
        len(run) == 3
        and all(each.line.width >= 0.7 * (each.right - each.left) for each in run[:2])
        and (run[1].above or 9) < 1.18
    )


def rank_of(heading: PdfHeading, body: TextStyle) -> Look:
    """The part of a heading's look that decides its rank: if size or weight sets it apart, case and place do not count."""
    look = heading.look
    if look.size > LARGER * body.size or (look.bold and not body.bold):
        return look._replace(italic=False, capitals=False, centred=False)
    return look._replace(capitals=look.capitals or bare_number(heading.text), centred=False)


def rank_looks(flow: Sequence[FlowLine], headings: Sequence[PdfHeading], body: TextStyle) -> dict[Look, int]:
    """Level of every look: 1 for those that mostly open a page (else for the highest), then by size and weight."""
    total = Counter(rank_of(h, body) for h in headings)
    opening = Counter(rank_of(h, body) for h in headings if h.start == 0 or flow[h.start - 1].page != h.page)
    order = sorted(total, key=order_of)
    openers = {look for look in order if opening[look] >= 0.6 * total[look]} if opening.total() > 1 else set()
    chapters = openers or {order[0]}
    return {look: 1 if look in chapters else 2 + i for i, look in enumerate(order)}
