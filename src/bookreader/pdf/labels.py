"""The page labels that readers see: the printed folios where they are consistent, else the PDF's own, else the page's position.

Folios are read as sequences: a number counts if it grows by one from page to page. So chapter numbers, years and totals in
running heads are ignored, and a page without a folio gets the label that its neighbours imply.

Also the numbers of paragraphs, in the margin or before the first word, where they count through the text."""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import NamedTuple

from bookreader.numerals import from_roman, to_roman
from bookreader.pdf.characters import UNKNOWN
from bookreader.pdf.flow import FlowLine, body_style
from bookreader.pdf.frame import SAME_ROW
from bookreader.pdf.headings import stands_out
from bookreader.pdf.model import Line, PageMark, PdfPage, line_of

WORD = re.compile(r"[0-9]+|[a-z]+", re.IGNORECASE)
UNREADABLE = re.compile(rf"\S*{UNKNOWN}\S*")  # a number with figures that are without Unicode is another one
HEXADECIMAL = re.compile(r"^<((?:[0-9A-F]{2})+)>", re.IGNORECASE)  # a prefix as files may write it, which MuPDF leaves so
BOMS = (b"\xfe\xff", b"\xff\xfe")  # of UTF-16
LARGEST = 99999
LONGEST = 60  # characters of a label: page 2,000,000,000 in roman numerals has two million
MIN_PAGES = 3  # that a run of folios counts before it can contradict the PDF's own labels
SURE_PAGES = 5  # … and one such run that contradicts labels which are right elsewhere
MAJORITY = 0.5  # of the pages: so many must have a folio, and so many of these another label, for the folios to win
JOB = re.compile(  # what a printer's program writes beside the page: its file, the time
    r"\.(?:indd?|indb|qx[dp]|qxp|fm|pmd|pdf|docx?|tex|dvi|ps|sgml?|xml)\b|\b\d{1,2}:\d\d(?::\d\d)?\b|\b(?:Frm|Sfmt|Jkt)\s\d",
    re.IGNORECASE,
)
NEAR_JOB = 2.0  # × the type size: so close to what a printer's program writes, a line is its, too
BY_CHAPTER = 5  # how much a number with a chapter's ("4-3") counts as a folio
ALONE, WITHIN, JOBS = 4, 2, 1  # the same of another number: at a line's end, within a line, on a printer's line
OF_CHAPTER = re.compile(r"^[\[(]?(?P<prefix>(?:\d{1,2}|[A-Z]{1,3})[-–]|[A-Z]{1,3}[-–]?\d{1,2}\.)(?P<page>[1-9]\d{0,2})[\])]?$")
LOOKALIKES = str.maketrans("lIi|!OoSsBZzgq", "11111005582299")
PARAGRAPH = re.compile(r"^(?P<sign>§+|¶)?[\[(]?(?P<value>\d{1,4}(?:\.\d{1,3}){0,2})[\])]?[.:]?$")
SIGN = re.compile(r"^(?:§+|¶)$")
MANY = 8  # numbers that must count on for them to be those of paragraphs
SPREAD = 0.25  # of the text: so much lies between the first and the last of them
SKIPPED = 3  # the next number found is at most this much larger
WIDE = 0.7  # of the column: so far at least most first lines of numbered paragraphs reach; headings are shorter


class Run(NamedTuple):
    """A way of counting: prefix ("4-" of "4-3", by chapter), then first + page index, written in arabic or roman."""

    roman: bool
    first: int
    prefix: str = ""


@dataclass(frozen=True, slots=True)
class Labels:
    """One label a page, and where they came from: labels, folios, index, pages (an e-book's page list) or none.

    breaks: by page index, the printed pages that begin on it, as (points from the top, points from the left, label) in
    order. printed: pages with a folio though the PDF has labels; differing: those of them whose label is another."""

    of_page: tuple[str, ...]
    source: str
    breaks: Mapping[int, Sequence[tuple[float, float, str]]] = field(default_factory=dict)
    printed: int = 0
    differing: int = 0


def labels_of_marks(marks: Sequence[PageMark], pages: int) -> Labels:
    """The labels of an e-book's set pages: of the printed page that each continues, "" before the first one."""
    breaks: dict[int, list[tuple[float, float, str]]] = {}
    for mark in sorted(marks, key=lambda mark: mark[:3]):
        breaks.setdefault(mark.page, []).append((mark.y, mark.x, mark.label))
    of_page: list[str] = []
    label = ""
    for page in range(pages):
        of_page.append(label)
        label = breaks[page][-1][2] if page in breaks else label
    return Labels(tuple(of_page), "pages" if marks else "none", breaks)


def label_pages(pages: Sequence[PdfPage]) -> Labels:
    """The label of every page, in order. Folios that count most of the pages win over the PDF's own labels ("what is printed is
    cited"); so do any folios over labels that only count from 1."""
    given = tuple(label if len(label) <= LONGEST else "" for label in (HEXADECIMAL.sub(decoded, each.label) for each in pages))
    counted = tuple(str(i + 1) for i in range(len(pages)))
    texts = [{line.text for line in each.artefacts} for each in pages]
    beside = [set().union(*texts[max(0, i - 2) : i], *texts[i + 1 : i + 3]) for i in range(len(pages))]
    every = [candidates(each, others) for each, others in zip(pages, beside, strict=True)]
    known = support(pages, every)
    read = [max(each.keys() & known.keys(), key=lambda run: (known[run], not run.roman), default=None) for each in every]
    scanned, lengths = any(each.recognized for each in pages), Counter(read)
    folios = folios_of(fill(read, scanned=scanned), lengths, scanned=scanned)
    if not any(given) or given == counted:
        return Labels(folios, "folios") if any(folios) else Labels(counted, "labels" if any(given) else "index")
    own = tuple(label or plain for label, plain in zip(given, counted, strict=True))
    printed = [i for i, run in enumerate(read) if run and lengths[run] >= MIN_PAGES]
    differing = sum(not agrees(own[i], write(read[i], i), pages[i]) for i in printed)
    if (
        any(folios)
        and len(printed) >= MAJORITY * sum(bool(each.lines) for each in pages)
        and differing > MAJORITY * len(printed)
    ):
        return Labels(folios, "folios", printed=len(printed), differing=differing)
    return Labels(own, "labels", printed=len(printed), differing=differing)


def folios_of(runs: Sequence[Run | None], lengths: Mapping[Run | None, int], *, scanned: bool) -> tuple[str, ...]:
    """The labels of all pages, each with the run that it belongs to; empty if there are none. lengths: pages on which each run
    was read. In a scan, none if two pages would have one label, unless each is of a run read on many pages."""
    begun = next((i for i, run in enumerate(runs) if run), len(runs))
    known = Counter(write(run, i).casefold() for i, run in enumerate(runs) if run)
    counted = [(run, write(run, i) if run or i < begun else "") for i, run in enumerate(runs)]
    repeated = (run for run, label in counted if run and known[label.casefold()] > 1)
    if not known or (scanned and any(lengths[run] < SURE_PAGES for run in repeated)):
        return ()
    return tuple("" if scanned and not run and known[label] else label for run, label in counted)


def decoded(found: re.Match[str]) -> str:
    """The text of a prefix in hexadecimal ("<FEFF0037>")."""
    data = bytes.fromhex(found[1])
    return data.decode("utf-16" if data.startswith(BOMS) else "latin-1", errors="replace").strip()


def agrees(label: str, folio: str, page: PdfPage) -> bool:
    """Whether a page's own label is what is printed on it: the folio, or other words in its margins ("B-12")."""
    words = " ".join(line.text for line in page.artefacts).casefold().split()
    return label.casefold() == folio.casefold() or label.casefold() in words


def support(pages: Sequence[PdfPage], every: Sequence[Mapping[Run, int]]) -> Counter[Run]:
    """How much speaks for each run: the pages that carry it, each as its number stands there. every: candidates of the pages.

    A run on a single page counts only in a book of a few pages, one on less than three and half of the pages not in a scan, one
    that only a printer's program wrote only if it is alone."""
    counts: Counter[Run] = Counter(run for found in every for run in found)
    weights: Counter[Run] = Counter()
    for found in every:
        weights.update(found)
    enough: float = 2 if len(every) > 2 else 1
    if sum(each.recognized for each in pages) > MAJORITY * len(every):
        enough = max(enough, min(MIN_PAGES, MAJORITY * sum(bool(each.lines) for each in pages)))
    by_chapter = sum(n for run, n in counts.items() if run.prefix and n >= enough) >= MIN_PAGES
    known = Counter({run: weights[run] for run, n in counts.items() if n >= enough or (run.prefix and by_chapter)})
    of_book = {run for found in every for run, weight in found.items() if weight > JOBS}
    return Counter({run: known[run] for run in known.keys() & of_book}) or known


def candidates(cleaned: PdfPage, beside: Set[str]) -> dict[Run, int]:
    """Every run that some number in the page's artefacts would belong to, and how much that number counts. beside: the lines of
    the pages around it, whose numbers do not count on: a date."""
    found: dict[Run, int] = {}
    jobs = [line.baseline for line in cleaned.artefacts if JOB.search(line.text)]
    for line in (line for line in cleaned.artefacts if line.text not in beside):
        by_job = any(abs(line.baseline - job) <= NEAR_JOB * line.size for job in jobs)
        text = UNREADABLE.sub(" ", as_digits(line.text) if cleaned.recognized else line.text)
        ends = [match for word in {*text.split()[:1], *text.split()[-1:]} if (match := OF_CHAPTER.match(word))]
        words = list(enumerate(WORD.findall(text)))
        for at, word in words:
            alone = at in (0, len(words) - 1) and not ends
            weight = JOBS if by_job else ALONE if alone else WITHIN
            for roman, value in numbers_in(word):
                run = Run(roman, value - cleaned.index)
                if 0 < value <= LARGEST:
                    found[run] = max(weight, found.get(run, 0))
        for number in ends:
            found[Run(False, int(number["page"]) - cleaned.index, number["prefix"])] = BY_CHAPTER
    return found


def as_digits(text: str) -> str:
    """A line's text; words of figures and letters that look like figures ("l7", "1O"), as a worn scan is read, in figures."""
    words = text.split()
    return " ".join(
        digits if any(map(str.isdecimal, word)) and (digits := word.translate(LOOKALIKES)).isdecimal() else word
        for word in words
    )


def numbers_in(word: str) -> list[tuple[bool, int]]:
    """(is roman, value) of a word that is a number; empty for any other."""
    if word.isdigit():
        return [(False, int(word))]
    value = from_roman(word.lower())
    return [(True, value)] if value else []


def fill(runs: Sequence[Run | None], *, scanned: bool) -> list[Run | None]:
    """The runs of all pages; a page without a number gets the next page's run if it reaches back to it, else the last one's. In
    a scan, none gets a roman one that no later page has: the numbers of the text may all be lost."""
    filled = list(runs)
    for i in reversed(range(len(runs) - 1)):
        following = filled[i + 1]
        if filled[i] is None and following and following.first + i >= 1:
            filled[i] = following
    for i in range(1, len(runs)):
        before = filled[i - 1]
        filled[i] = filled[i] or (None if scanned and before and before.roman else before)
    return filled


def write(run: Run | None, index: int) -> str:
    """The label of page `index`; front matter that shows no number is counted in roman, as presses do, from the first page."""
    if run is None:
        return to_roman(index + 1)
    value = run.first + index
    return run.prefix + (to_roman(value) if run.roman else str(value))


@dataclass(frozen=True, slots=True)
class ParagraphNumber:
    """A number that may be a paragraph's: line `at` of the flow, as printed, its parts; tokens that it is, 0 in the margin."""

    at: int
    printed: str
    value: tuple[int, ...]
    tokens: int


def number_paragraphs(flow: Sequence[FlowLine], margined: Iterable[PdfPage]) -> list[FlowLine]:
    """The flow; first lines of numbered paragraphs have their number, which is no longer part of their text."""
    if not flow:
        return []
    body = body_style(flow)
    margin = {n.at: n for each in margined for line in each.numbers if (n := in_margin(line, flow))}
    # the number of a line that stands out is that of a heading
    within = {n.at: n for n in map(at_beginning, range(len(flow)), flow) if n and not stands_out(flow[n.at], body)}
    run = longest_count([number for _, number in sorted({**within, **margin}.items())])
    if not are_paragraphs(run, flow):
        return list(flow)
    numbered = list(flow)
    for number in run:
        numbered[number.at] = with_number(flow[number.at], number)
    return numbered


def in_margin(line: Line, flow: Sequence[FlowLine]) -> ParagraphNumber | None:
    """The number in a margin, at the line of the flow that it stands beside; none if there is no such line."""
    found = PARAGRAPH.match(line.text.replace(" ", ""))
    beside = [(i, each.line) for i, each in enumerate(flow) if each.page == line.page]
    level = (i for i, it in beside if abs(it.baseline - line.baseline) <= SAME_ROW * max(it.size, line.size))
    at = min(level, key=lambda i: abs(flow[i].line.x0 - line.x1), default=None)
    return number_of(found, at, 0) if found and at is not None else None


def at_beginning(at: int, each: FlowLine) -> ParagraphNumber | None:
    """The number that a line begins with, if words follow it: "14 It", "§ 12 The", "[23] In"."""
    tokens = each.line.tokens
    count = 2 if SIGN.match(tokens[0].text) else 1
    while count < len(tokens) and tokens[count].glued and not tokens[count].text[:1].isalpha():
        count += 1
    if len(tokens) <= count + 1:
        return None
    found = PARAGRAPH.match("".join(token.text for token in tokens[:count]))
    opens = tokens[count].text.lstrip("“„«‘'\"(")[:1].isupper()
    return number_of(found, at, count) if found and opens else None


def number_of(found: re.Match[str], at: int, tokens: int) -> ParagraphNumber:
    """The number, as printed without brackets and stops: "14", "1.4", "§ 12"."""
    printed = f"{found['sign']} {found['value']}" if found["sign"] else found["value"]
    return ParagraphNumber(at, printed, tuple(map(int, found["value"].split("."))), tokens)


def longest_count(numbers: Sequence[ParagraphNumber]) -> list[ParagraphNumber]:
    """The longest run of numbers that count on from one to the next; in the margin they may begin again with 1."""
    best: dict[tuple[int, ...], tuple[int, int]] = {}  # value: how many, index of the last
    before: list[int | None] = []
    longest = 0
    for i, number in enumerate(numbers):
        length, last = max((best[v] for v in predecessors(number, best) if v in best), default=(0, -1))
        before.append(last if length else None)
        if length + 1 > best.get(number.value, (0, -1))[0]:
            best[number.value] = (length + 1, i)
            longest = max(longest, length + 1)
    at: int | None = next((i for n, i in best.values() if n == longest), None)
    run = []
    while at is not None:
        run.append(numbers[at])
        at = before[at]
    return run[::-1]


def predecessors(number: ParagraphNumber, known: Iterable[tuple[int, ...]]) -> list[tuple[int, ...]]:
    """The values that may come before a number: the same but for a smaller last part; before "2.1" those of "1."."""
    *head, last = number.value
    closer = [(*head, last - step) for step in range(1, SKIPPED + 1) if last > step]
    if last > 1 or (not head and number.tokens):
        return closer
    return [v for v in known if len(v) == len(number.value) and (not head or v[:-1] < tuple(head))]


def are_paragraphs(run: Sequence[ParagraphNumber], flow: Sequence[FlowLine]) -> bool:
    """Whether numbers that count on are those of paragraphs, not of lines, headings, or one list."""
    if len(run) < MANY or run[-1].at - run[0].at < SPREAD * len(flow) or run[0].at > len(flow) / 2:
        return False
    steps = [(b.at - a.at, b.value[-1] - a.value[-1]) for a, b in pairwise(run)]
    by_one = sum(step <= 1 for _, step in steps)
    apart = sum(lines > 1 for lines, _ in steps)
    lines = [flow[number.at] for number in run]
    wide = sum(each.line.x1 - each.left >= WIDE * (each.right - each.left) for each in lines)
    return by_one > MAJORITY * len(steps) and apart > MAJORITY * len(steps) and wide > MAJORITY * len(run)


def with_number(each: FlowLine, number: ParagraphNumber) -> FlowLine:
    """The line as the first of a numbered paragraph; it begins where the number does."""
    if not number.tokens:
        return replace(each, number=number.printed)
    first, *rest = each.line.tokens[number.tokens :]
    line = line_of(each.page, [first._replace(glued=False), *rest], each.line.baseline)
    return replace(each, line=replace(line, x0=each.line.x0), number=number.printed)
