"""The book's divisions: chapters and sections with their titles, from the outline, the printed contents or the look of
headings; and these contents: where they stand, and what they announce.

The outline is trusted first, then the printed contents, then the look of the headings. Where a book announces its divisions,
the announcement decides which they are, and the headings decide where they begin."""

import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from itertools import groupby, pairwise, takewhile
from typing import NamedTuple, TypeVar

import pymupdf

from bookreader.book import Kind
from bookreader.pdf.flow import LARGER, FlowLine, body_style, is_running
from bookreader.pdf.headings import (
    CHAPTER_WORDS,
    GROUP_WORDS,
    Look,
    PdfHeading,
    bare_name,
    bare_number,
    chapter_number,
    commonest,
    division_word,
    heading_at,
    levels_of_looks,
    nameless,
    number_value,
    order_of,
    part_number,
    section_kind,
)
from bookreader.pdf.model import TextStyle


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


OUTSIDE = (Kind.CONTENTS, Kind.INDEX)  # an outline of nothing else names no part of the text
ALIKE = 0.82  # similarity of letters from which an announced title and a heading are the same
FOUND_SHARE = 0.5  # of the announced divisions must be found for the announcement to be trusted
DOMINANT = 0.7  # of the text: a division that holds so much groups the chapters below it, if there are at least FEW
FEW = 3
HALF, LEAST, MOSTLY = 0.5, 0.3, 0.7
APART = 2  # pages, on average, from one entry to the next, where the outline's pages are all that is known
SECTION_NUMBER = re.compile(r"^(?:\d{1,2}|[IVX]{1,5}|[A-Z])(?:\.\d{1,2})*\.?\s+(?=\S{3})")
PREFACES = re.compile(r"^(?:preface|prologue|foreword|introduct\w+|note|dedication|vorwort|einleitung)\b", re.IGNORECASE)
PART = re.compile(r"^(?:part|book|volume|teil|buch|band)\b", re.IGNORECASE)


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
    """A book's divisions in order, the level its chapters have, and the source: outline, contents, headings or none.

    announced: entries of the PDF's outline; unprinted: those of them that the pages do not show where it says."""

    divisions: tuple[Division, ...]
    chapter_level: int
    source: str
    announced: int = 0
    unprinted: int = 0


def structure_of(
    flow: Sequence[FlowLine], headings: Sequence[PdfHeading], outline: Sequence[OutlineEntry], contents: PrintedContents | None
) -> Structure:
    """The divisions, from the best source that the pages confirm; chapters without words like "Chapter" in their names."""
    body = [h for h in headings if contents is None or not contents.start <= h.start < contents.end]
    outline = () if all(MATTER.match(entry.text) or section_kind(entry.text) in OUTSIDE for entry in outline) else outline
    outline, found = promoted(outline, match_entries(flow, body, outline))
    structure = from_outline(flow, body, outline, found)
    if structure is None and contents:
        unpaged = [replace(entry, page=None) for entry in contents.entries]
        by_page = sorted(contents.entries, key=lambda entry: entry.page or 0)  # as columns may be in another order
        matches = max((match_entries(flow, body, entries) for entries in (contents.entries, by_page, unpaged)), key=len)
        if len(matches) >= max(1, FOUND_SHARE * len(contents.entries)):
            structure = announced(flow, body, matches, contents.entries, "contents")
    structure = structure or by_pages(flow, outline, by_look(flow, body))
    divisions = as_chapters(structure.divisions, structure.chapter_level)
    top = structure.chapter_level if structure.source == "outline" else 1  # the names above chapters are often not printed
    unprinted = sum(e.level >= top for e in outline) - sum(e.level >= top for e, _ in found)
    return replace(structure, divisions=divisions, announced=len(outline), unprinted=unprinted)


def as_chapters(divisions: Sequence[Division], chapter_level: int) -> tuple[Division, ...]:
    """The divisions; chapters with their numbers as chapters have them."""
    levels = range(1, chapter_level + 1)
    return tuple(replace(d, number=chapter_number(d.number)) if d.number and d.level in levels else d for d in divisions)


def from_outline(
    flow: Sequence[FlowLine],
    headings: Sequence[PdfHeading],
    outline: Sequence[OutlineEntry],
    found: Sequence[tuple[OutlineEntry, PdfHeading]],
) -> Structure | None:
    """The divisions that the outline announces; None if the pages show few of its entries, also without its deepest levels."""
    printed_entries = [entry for entry, _ in found]
    shown, of = ([entry.level for entry in some] for some in (printed_entries, outline))
    if not any(sum(n <= d for n in shown) >= max(1, FOUND_SHARE * sum(n <= d for n in of)) for d in {*of}):
        return None
    structure = announced(flow, headings, found, outline, "outline")
    between = outline[outline.index(printed_entries[0]) : outline.index(printed_entries[-1])]
    missing = [e for e in between if e.level == structure.chapter_level and e not in printed_entries]
    divisions = sorted([*structure.divisions, *placed(flow, missing)], key=lambda d: d.start)
    return replace(structure, divisions=tuple(divisions))


def placed(flow: Sequence[FlowLine], entries: Sequence[OutlineEntry]) -> list[Division]:
    """Divisions for entries that are not printed: each begins with its page."""
    starts = [next((i for i, each in enumerate(flow) if each.page >= (entry.page or 0)), len(flow)) for entry in entries]
    return [
        Division(start, start, entry.level, *part_number((entry.text,))) for start, entry in zip(starts, entries, strict=True)
    ]


def by_pages(flow: Sequence[FlowLine], outline: Sequence[OutlineEntry], look: Structure) -> Structure:
    """The entries of the outline, each where its page begins, and the headings below them, if the outermost entries divide the
    text and the look of the headings does not, or names every page; else `look`."""
    tops = [d.start for d in look.divisions if d.level == 1]
    longest = max(b - a for a, b in pairwise([0, *tops, len(flow)]))
    entries = [entry for entry in outline if entry.level == 1]
    pages = [entry.page or 0 for entry in entries]
    divides = len(entries) >= FEW and all(b > a for a, b in pairwise(pages)) and pages[-1] - pages[0] >= APART * len(entries)
    if not divides or (longest <= DOMINANT * len(flow) and len(tops) * APART <= pages[-1] + APART):
        return look
    depth = max(entry.level for entry in outline)
    rest = [replace(d, level=d.level + depth if d.level else 0) for d in look.divisions]
    return Structure(tuple(sorted([*placed(flow, outline), *rest], key=lambda d: (d.start, d.level))), 1, "outline")


def match_entries(
    flow: Sequence[FlowLine], headings: Sequence[PdfHeading], entries: Sequence[OutlineEntry]
) -> list[tuple[OutlineEntry, PdfHeading]]:
    """Each entry with the heading that it announces, in order; if it has a page, also among the lines there."""
    found: list[tuple[OutlineEntry, PdfHeading]] = []
    position = 0
    for entry in entries:
        if heading := next_match(headings, entry, position) or printed(flow, entry, position):
            found.append((entry, heading))
            position = heading.end
    return found


def next_match(headings: Sequence[PdfHeading], entry: OutlineEntry, position: int) -> PdfHeading | None:
    """The first heading from `position` on that reads like the entry, on its page if that is known, else next to it."""
    for near in ((0,), (-1, 1)) if entry.page is not None else ((),):
        own = (h for h in headings if h.start >= position and (entry.page is None or h.page - entry.page in near))
        if found := next((h for h in own if alike(h, entry.text)), None):
            return found
    return None


def alike(heading: PdfHeading, text: str) -> bool:
    """Whether a heading and an announced title are the same except for case, blanks, leading numbers and small slips; of two
    with the same number one may be shortened ("I: Nature of Mathematics" for "I. The Abstract Nature of Mathematics")."""
    want = letters(text)
    forms = [letters(form) for form in (heading.text, heading.title, heading.number) if form]
    if any(same(form, want) for form in forms):
        return True
    number, title = part_number((text,))
    words = {division_word(heading.number), division_word(number)}
    if number and heading.number and not title and (len(words) == 1 or words.isdisjoint(GROUP_WORDS)):
        return bare_name(heading.number).strip(" .") == bare_name(number).strip(" .")  # "II." announces "CHAPTER II"
    if not number or not title or not heading.title:
        return False
    have, want = letters(heading.title), letters(title)
    shortened = heading.number is not None and min(len(have), len(want)) >= MIN_LETTERS and (have in want or want in have)
    return (same(have, want) or shortened) and bare_name(heading.number or number) == bare_name(number)


def same(have: str, want: str) -> bool:
    if not have or not want:
        return False
    return have == want or (min(len(have), len(want)) > 5 and SequenceMatcher(None, have, want).ratio() >= ALIKE)


def printed(flow: Sequence[FlowLine], entry: OutlineEntry, position: int) -> PdfHeading | None:
    """Lines on the entry's page that together read exactly like it but for a number before it, as no heading looks."""
    want = letters(entry.text)
    on_page = [i for i in range(position, len(flow)) if flow[i].page == entry.page] if entry.page is not None and want else []
    for i in on_page:
        have = ""
        for j in range(i, min(i + 5, len(flow))):
            text = flow[j].text
            have += letters(text if have or entry.text[:1].isdigit() else SECTION_NUMBER.sub("", text))
            if have == want:
                return heading_at(flow, i, j + 1)
            if not want.startswith(have):
                break
    return None


def announced(
    flow: Sequence[FlowLine],
    headings: Sequence[PdfHeading],
    matches: Sequence[tuple[OutlineEntry, PdfHeading]],
    entries: Sequence[OutlineEntry],
    source: str,
) -> Structure:
    """Divisions with the announced levels; other headings get the level of those that look the same, else a lower one."""
    kinds = [kind[1:] for _, heading in matches if (kind := counting(heading.number))]
    by_start = {heading.start: entry for entry, heading in matches if heading.number or not counts_lines(entry, kinds)}
    levels = {heading.start: entry.level for entry, heading in matches}
    if source == "contents":  # what looks alike is of one level: contents are set in from page to page as their numbers need
        whole = [heading for entry, heading in matches if "." not in (part_number((entry.text,))[0] or "")]
        looks = levels_of_looks(whole, levels)
        levels |= {heading.start: looks[heading.look] for heading in whole}
        levels = {start: level - min(levels.values()) + 1 for start, level in levels.items()}
    first = min(levels, default=0)
    every = {h.start: h for h in [*headings, *(heading for _, heading in matches)]}
    default_levels = levels_of_looks([h for _, h in sorted(every.items())], levels)
    levels |= {h.start: 1 for h in headings if h.start < first and PREFACES.match(h.text) and opens_page(flow, h)}
    unnamed = nameless(headings)
    named_at = [start for start in sorted(every) if start in levels or (start > first and start not in unnamed)]
    given = [levels.get(start, default_levels[every[start].look]) for start in named_at]
    known = in_levels([every[start].number for start in named_at], given) if source == "contents" else given
    levels = dict(zip(named_at, known, strict=True))
    divisions = [division_of(heading, levels.get(start, 0), by_start.get(start)) for start, heading in sorted(every.items())]
    level = chapter_level_of(entries, {entry for entry, _ in matches})
    named = [d for d in divisions if d.level]
    chapters = counted(named, [d.level for d in named], len(flow))
    own = commonest([d.level for d in chapters]) or dividing_level(divisions, level, len(flow))
    return Structure(tuple(divisions), own, source)


def counts_lines(entry: OutlineEntry, kinds: Sequence[tuple[bool, int]]) -> bool:
    """Whether an entry's number counts the lines of the contents. kinds: how the numbers count that headings have."""
    kind = counting(part_number((entry.text,))[0])
    return kind is not None and len(kinds) >= FEW and kind[1:] not in kinds


def opens_page(flow: Sequence[FlowLine], heading: PdfHeading) -> bool:
    """Whether a heading is the first on its page."""
    return heading.start == 0 or flow[heading.start - 1].page != heading.page


def division_of(heading: PdfHeading, level: int, entry: OutlineEntry | None = None) -> Division:
    """The division that begins with a heading; the number or title that it lacks is that of the entry that announces it."""
    number, title = heading.number, heading.title
    if entry and not (number and title):
        announced_number, announced_title = part_number((entry.text,))
        number, title = number or announced_number, title or announced_title
    return Division(heading.start, heading.end, level, number, title)


def dividing_level(divisions: Sequence[Division], level: int, length: int) -> int:
    """The level of the chapters: a deeper one than `level` while one division there holds most of the text's `length` lines and
    divides it into several that are not numbered as sections are ("1.2"), but numbered where it is itself."""
    named = [d.level for d in divisions if d.level]
    level, deepest = max(level, min(named, default=level)), max(named, default=level)
    while level < deepest:
        tops = [d for d in divisions if 0 < d.level <= level]
        ends = [*(d.start for d in tops[1:]), length]
        largest, end = max(zip(tops, ends, strict=True), key=lambda pair: pair[1] - pair[0].start, default=(None, 0))
        if largest is None or end - largest.start < DOMINANT * length or division_word(largest.number) in CHAPTER_WORDS:
            break
        inside = [d for d in divisions if d.level > level and largest.start < d.start < end]
        below = min((d.level for d in inside), default=deepest)
        inner = [d for d in inside if d.level == below]
        if sum("." not in (d.number or "") and bool(d.number or not largest.number) for d in inner) < FEW:
            break
        level = below
    return level


def by_look(flow: Sequence[FlowLine], headings: Sequence[PdfHeading]) -> Structure:
    """Divisions by look alone: headings that open pages are chapters, else those of the highest look that recurs."""
    unnamed = nameless(headings)
    own = without_title(flow, [h for h in headings if h.start not in unnamed])
    if not own:
        return Structure(tuple(division_of(h, 0) for h in headings), 1, "none")
    body = body_style(flow)
    ranks = rank_looks(flow, own, body)
    given = in_levels([h.number for h in own], [ranks[rank_of(h, body)] for h in own])
    ordered = sorted(zip(own, given, strict=True), key=lambda pair: pair[1])
    sections = {rank_of(h, body): level for h, level in ordered if "." in (h.number or "")}  # the deepest of each look
    levels = {h.start: max(n, 0 if h.number else sections.get(rank_of(h, body), 0)) for h, n in zip(own, given, strict=True)}
    first = min((start for start, level in levels.items() if level == 1), default=0)
    levels |= {h.start: 1 for h in own if h.start < first and PREFACES.match(h.text) and opens_page(flow, h)}
    times = times_named([h for h in own if levels[h.start] == 1])  # what is named so over and over is no chapter
    levels |= {h.start: max(2, levels[h.start]) for h in own if not h.number and times[h.text.casefold()] >= FEW}
    divisions = tuple(division_of(h, levels.get(h.start, 0)) for h in headings)
    return Structure(divisions, dividing_level(divisions, 1, len(flow)), "headings")


def times_named(headings: Iterable[PdfHeading]) -> Counter[str]:
    """How often each name comes after another one: "Source" over boxes does so often, the name of a chapter once."""
    return Counter(name for name, _ in groupby(h.text.casefold() for h in headings))


Named = TypeVar("Named", PdfHeading, Division)


class Counting(NamedTuple):
    """What numbers share that count the same: the word before them, whether they are letters, how many parts they have."""

    word: str
    letters: bool
    depth: int


def counting(number: str | None) -> Counting | None:
    """How a number counts; None without one."""
    bare = bare_name(number).strip(" .") if number else ""
    return Counting(division_word(number), not bare[:1].isdecimal(), bare.count(".")) if bare else None


def counted(named: Sequence[Named], levels: Sequence[int], length: int) -> list[Named]:
    """Those whose numbers count the chapters: FEW at least, each larger than the one before, through much of the text, and not
    in groups of their own; mostly with titles if any have them, and only those called chapters if any are. levels: of each;
    length: of the text, in lines."""
    by_kind: dict[tuple[Counting, int | None], list[int]] = defaultdict(list)
    for i, each in enumerate(named):
        if (kind := counting(each.number)) and not kind.depth and number_value(each.number) and kind.word not in GROUP_WORDS:
            by_kind[kind, None].append(i)
            by_kind[kind, levels[i]].append(i)
    runs: list[list[int]] = []
    for own in by_kind.values():
        values = [number_value(named[i].number) for i in own]
        first = max((n for n, i in enumerate(own) if values[n] == 1 and named[i].start <= FRONT_SHARE * length), default=0)
        if counts_on(values[first:]) and named[own[-1]].start - named[own[first]].start >= LEAST * length:
            runs.append(own[first:])  # what comes before 1 is announced there
    runs = [own for own in runs if division_word(named[own[0]].number) in CHAPTER_WORDS] or runs
    titled = [own for own in runs if sum(bool(named[i].title) for i in own) >= HALF * len(own)]
    best = max(titled or runs, key=len, default=[])
    level = commonest([levels[i] for i in best])
    above = [(i, named[i].number) for i in range(max(best, default=0)) if levels[i] < level]
    within = any(division_word(number) in CHAPTER_WORDS or (i > best[0] and not number) for i, number in above)
    return [] if within and not division_word(named[best[0]].number) else [named[i] for i in best]


def counts_on(values: Sequence[int]) -> bool:
    """Whether numbers count something, of which a few may be lost."""
    steps = [b - a for a, b in pairwise(values)]
    return len(values) >= FEW and min(steps) > 0 and steps.count(1) >= MOSTLY * len(steps)


def in_levels(numbers: Sequence[str | None], levels: Sequence[int]) -> list[int]:
    """The levels, one for all that is numbered alike: "10" is not above "9", and "1.1" not beside "1" or "Chapter 1". What
    begins again with 1 is counted anew below others, and stays, with nothing below it."""
    kinds = [counting(number) for number in numbers]
    found, settled = dict[Counting, int](), dict[int, int]()  # settled: by index in `numbers`
    for kind in sorted(filter(None, set(kinds)), key=lambda kind: kind.depth):
        own = [i for i, each in enumerate(kinds) if each == kind]
        outer = [found[o] for o in found if o[1:] == (kind.letters, kind.depth - 1) and o.word not in GROUP_WORDS]
        values = [number_value(numbers[i]) for i in own]
        level = max(1 + min(outer, default=0), commonest(sorted(levels[i] for i in own)))
        if kind.depth or all(b > a for a, b in pairwise(values)):  # else numbers of lists
            found[kind] = level
        if kind.depth or counts_on(values):
            settled |= dict.fromkeys(own, level)
    return [settled.get(i, level) for i, level in enumerate(levels)]


def without_title(flow: Sequence[FlowLine], headings: Sequence[PdfHeading]) -> list[PdfHeading]:
    """The headings without those of title pages: before any prose, with a look that does not recur while another does, or on a
    page before that of the last one there."""
    if not headings:
        return []
    body = body_style(flow)
    prose = next((i for i in range(len(flow)) if is_running(flow, i)), 0)
    front = [h for h in headings if h.end <= prose]
    looks = Counter(rank_of(h, body) for h in headings)
    titles = [h for h in front if looks[rank_of(h, body)] == 1 < max(looks.values()) or h.page < front[-1].page]
    return [h for h in headings if h not in titles or number_value(h.number) == 1 or PREFACES.match(h.text)]


def rank_of(heading: PdfHeading, body: TextStyle) -> Look:
    """The part of a heading's look that decides its rank: only size and weight, if these set it apart."""
    look = heading.look
    if look.size > LARGER * body.size or (look.bold and not body.bold):
        return look._replace(italic=False, capitals=False, centred=False, color=0)
    return look._replace(capitals=look.capitals or bare_number(heading.text), centred=False)


def rank_looks(flow: Sequence[FlowLine], headings: Sequence[PdfHeading], body: TextStyle) -> dict[Look, int]:
    """Level of every look: 1 for those that mostly open a page, down to one with text below it; else for the highest."""
    total = Counter(rank_of(h, body) for h in headings)
    opening = Counter(rank_of(h, body) for h in headings if opens_page(flow, h))
    order = sorted(total, key=order_of)
    openers = [look for look in order if opening[look] >= 0.6 * total[look] and opening.total() > 1]
    often = [look for look in openers if opening[look] > 1]
    pages = [[each.page for each in flow[h.end - 1 : h.end + 1]] for h in headings if rank_of(h, body) in often[:1]]
    if any(len(own) > len({*own}) for own in pages):  # more than its name is on a page
        openers = openers[: openers.index(often[0]) + 1]  # what opens a page below such a heading is a part of its chapter
    times = times_named(headings)
    once = [h for h in headings if h.number or times[h.text.casefold()] == 1]
    named = Counter(rank_of(h, body) for h in once if not section_kind(h.title))  # references may be larger
    highest = next((i for i, look in enumerate(order) if named[look] > (i > 0)), 0)
    chapters = openers if often else {*order[: highest + 1]} & {rank_of(h, body) for h in once}
    return {look: 1 if look in chapters else 2 + i for i, look in enumerate(order)}


def chapter_level_of(entries: Sequence[OutlineEntry], printed_ones: Collection[OutlineEntry]) -> int:
    """1, or 2 if most outermost divisions that contain others only group chapters: parts, or names that are not printed."""
    groups = [(entry, entries_under(entries, i)) for i, entry in enumerate(entries) if entry.level == 1]
    groups = [(entry, under) for entry, under in groups if under]
    grouping = [entry for entry, under in groups if entry not in printed_ones or is_part(entry, under)]
    return 2 if groups and len(grouping) >= 0.5 * len(groups) else 1


def entries_under(entries: Sequence[OutlineEntry], i: int) -> list[OutlineEntry]:
    """The entries of level 2 under entry i."""
    below = takewhile(lambda entry: entry.level > 1, entries[i + 1 :])
    return [entry for entry in below if entry.level == 2]


def is_part(entry: OutlineEntry, under: Sequence[OutlineEntry]) -> bool:
    """Whether an entry is called a part, or those below it are called chapters."""
    chapters = sum(division_word(each.text) in CHAPTER_WORDS for each in under)
    return bool(PART.match(entry.text)) or chapters >= 0.5 * len(under)


def promoted(
    entries: Sequence[OutlineEntry], found: Sequence[tuple[OutlineEntry, PdfHeading]]
) -> tuple[list[OutlineEntry], list[tuple[OutlineEntry, PdfHeading]]]:
    """The entries and those found on the pages; if only a few outermost ones are parts, what is below these is one level up, as
    the chapters outside parts are."""
    headings = {id(entry): heading for entry, heading in found}
    up = dict.fromkeys(map(id, entries), 0)
    for i, entry in enumerate(entries):
        under = entries_under(entries, i) if entry.level == 1 else []
        chapters = sum(id(each) in headings and division_word(headings[id(each)].text) in CHAPTER_WORDS for each in under)
        if under and (is_part(entry, under) or chapters >= 0.5 * len(under)):
            up |= {id(each): 1 for each in takewhile(lambda other: other.level > 1, entries[i + 1 :])}
    if chapter_level_of(entries, {entry for entry, _ in found}) > 1:
        return list(entries), list(found)
    moved = {id(entry): replace(entry, level=entry.level - up[id(entry)]) for entry in entries}
    return list(moved.values()), [(moved[id(entry)], heading) for entry, heading in found]


def outline_of(document: pymupdf.Document) -> list[OutlineEntry]:
    """The PDF's outline, without levels that hold only the book itself, and entries that lead nowhere or name no text."""
    entries = [
        OutlineEntry(level, " ".join(title.split()), page - 1) for level, title, page in document.get_toc() if title.strip()
    ]
    inside = [entry for entry in entries if entry.page is not None and 0 <= entry.page < document.page_count]
    return without_root(without_matter(inside))


MATTER = re.compile(
    r"^(?:(?:front|main|back|end)[ -]?matter|(?:front |back )?cover|(?:half[ -]?)?title(?:[ -]?page)?)\W*$", re.IGNORECASE
)


def without_matter(entries: Sequence[OutlineEntry]) -> Iterator[OutlineEntry]:
    """The entries without those that only say which part of a book's matter follows; what these hold is a level higher."""
    above: int | None = None  # level of the entry left out that holds those after it
    for entry in entries:
        above = None if above is not None and entry.level <= above else above
        if above is None and MATTER.match(entry.text):
            above = entry.level
        else:
            yield entry if above is None else replace(entry, level=entry.level - 1)


def without_root(entries: Iterable[OutlineEntry]) -> list[OutlineEntry]:
    """The entries without a first one that is the only one of its level and holds all others (the book's title); a chapter that
    does so is the only one of the file."""
    rest = list(entries)
    while (
        len(rest) > 1
        and division_word(rest[0].text) not in CHAPTER_WORDS
        and sum(entry.level == rest[0].level for entry in rest) == 1
        and all(entry.level > rest[0].level for entry in rest[1:])
    ):
        rest = rest[1:]
    top = min((entry.level for entry in rest), default=1)
    return [replace(entry, level=entry.level - top + 1) for entry in rest]


CONTENTS = re.compile(r"^(?:(?:the\s+|table\s+of\s+|list\s+of\s+)?contents?|inhalt(?:sverzeichnis)?)\W*$", re.IGNORECASE)
FRONT_SHARE, FRONT_PAGES = 0.2, 6  # a contents page stands within this share of the book, or among its first pages
ENTRIES = 0.35  # of the lines of a contents page, at least, end an entry
MIN_LETTERS = 6
LEADER = re.compile(r"(?:[\s_–—-]*(?:[.·•…_]\s*){2,}|\s+)(?P<label>\d{1,4}|[ivxlc]{1,7})$")
LIST_NUMBER = re.compile(r"^\d{1,3}\.\s+(?=\S)")


def letters(text: str) -> str:
    """A title's small letters and digits, which its spellings share."""
    return "".join(c for c in unicodedata.normalize("NFKD", text).casefold() if c.isalnum())


def contents_of(
    flow: Sequence[FlowLine], headings: Sequence[PdfHeading], pages: int, labels: Sequence[str] = ()
) -> PrintedContents | None:
    """The printed contents: by their heading in the front, and on pages full of entries. labels: to which these point."""
    last = max(FRONT_PAGES, FRONT_SHARE * pages)
    head = next((h for h in headings if h.page <= last and CONTENTS.match(h.text)), None)
    if head is None:
        return None
    end = head.end
    names = "|".join(letters(h.text) for h in headings)
    listed = any(each.page == head.page and LIST_NUMBER.match(each.text) for each in flow[end:])
    chapters = {h.start for h in headings if h.start > head.start and h.look.size >= head.look.size}
    while end < len(flow) and end not in chapters and (flow[end].page == head.page or goes_on(flow, end, names, listed)):
        end += 1
    return PrintedContents(head.start, end, tuple(entries_in(flow[head.end : end], labels)))


def goes_on(flow: Sequence[FlowLine], start: int, names: str, listed: bool) -> bool:
    """Whether the page at `start` continues the contents: most of its lines are entries. listed: whether these are numbered."""
    if flow[start - 1].page == flow[start].page:
        return True
    page = [each for each in flow[start : start + 120] if each.page == flow[start].page]
    return sum(is_entry(each, names, listed) for each in page) >= ENTRIES * len(page)


def is_entry(each: FlowLine, names: str, listed: bool) -> bool:
    """Whether a line looks like one of the contents: with a page or list number, or the words of a named heading."""
    words = letters(each.text)
    counted = LEADER.search(each.text) or (listed and LIST_NUMBER.match(each.text))
    return bool(counted) or (len(words) >= MIN_LETTERS and words in names)


def entries_in(lines: Sequence[FlowLine], labels: Sequence[str] = ()) -> list[OutlineEntry]:
    """One entry for every line, except lines that continue the one before; those in larger or bold type are above others."""
    styles = [each.line.tokens[0].style for each in lines]
    looks = [*zip(ranks([-style.size for style in styles], 1), (not style.bold for style in styles), strict=True)]
    ends = [LEADER.search(each.text) for each in lines]
    with_label = Counter(look for look, end in zip(looks, ends, strict=True) if end)
    pages = {label.casefold(): page for page, label in reversed([*enumerate(labels)])}
    entries: list[OutlineEntry] = []
    levels: list[tuple[tuple[int, bool], int]] = []
    is_open = False
    for each, look, indent, end in zip(lines, looks, ranks([each.indent for each in lines], 6), ends, strict=True):
        text, page = (each.text[: end.start()], pages.get(end["label"])) if end else (each.text, None)
        more = is_open and not LIST_NUMBER.match(text)
        if more and ((with_label[look] > HALF * looks.count(look) and look == levels[-1][0]) or (look, indent) > levels[-1]):
            entries[-1] = OutlineEntry(1, f"{entries[-1].text} {text.strip()}", page)
        else:
            bare = LIST_NUMBER.sub("", text)
            entries.append(OutlineEntry(1, (bare if part_number((bare,))[0] else text).strip(), page))
            levels.append((look, indent))
        is_open = not end
    ranked = [replace(each, level=1 + sorted({*levels}).index(own)) for each, own in zip(entries, levels, strict=True)]
    return [entry for entry in ranked if not CONTENTS.match(entry.text)]


def ranks(values: Sequence[float], gap: float) -> list[int]:
    """For each value, in how many gaps wider than `gap` others are smaller."""
    steps = [b for a, b in pairwise(sorted(values)) if b - a > gap]
    return [sum(value >= step for step in steps) for value in values]
