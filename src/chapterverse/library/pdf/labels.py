"""The page labels that readers see: the PDF's own, else the printed folios, else the page's position.

Folios are read as sequences: a number counts if it grows by one from page to page. So chapter numbers, years and totals in
running heads are ignored, and a page without a folio gets the label that its neighbours imply."""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from chapterverse.library.pdf.page_artefacts import PageWithArtefacts

ROMAN = {
    "m": 1000,
    "cm": 900,
    "d": 500,
    "cd": 400,
    "c": 100,
    "xc": 90,
    "l": 50,
    "xl": 40,
    "x": 10,
    "ix": 9,
    "v": 5,
    "iv": 4,
    "i": 1,
}

WORD = re.compile(r"[0-9]+|[a-z]+", re.IGNORECASE)
LARGEST = 9999


class Run(NamedTuple):
    """A way of counting: page label = first + page index, written in arabic or roman."""

    roman: bool
    first: int


@dataclass(frozen=True, slots=True)
class Labels:
    """One label a page, and where they came from: labels, folios or index."""

    of_page: tuple[str, ...]
    source: str


def label_pages(pages: Sequence[PageWithArtefacts]) -> Labels:
    """The label of every page, in order. The PDF's labels win unless they only count from 1 while the folios say otherwise."""
    given = tuple(each.page.label for each in pages)
    counted = tuple(str(i + 1) for i in range(len(pages)))
    if any(given) and given != counted:
        return Labels(tuple(label or plain for label, plain in zip(given, counted, strict=True)), "labels")
    runs = read_runs(pages)
    if any(runs):
        return Labels(tuple(write(run, i) for i, run in enumerate(runs)), "folios")
    return Labels(counted, "labels" if any(given) else "index")


def read_runs(pages: Sequence[PageWithArtefacts]) -> list[Run | None]:
    """The run each page belongs to; all None if no number on the pages counts them."""
    known = support(pages)
    return fill([best_run(each, known) for each in pages])


def support(pages: Iterable[PageWithArtefacts]) -> Counter[Run]:
    """How many pages carry each run; a run on a single page counts only in a book of a few pages."""
    counts: Counter[Run] = Counter()
    total = 0
    for each in pages:
        total += 1
        counts.update(candidates(each))
    enough = 2 if total > 2 else 1
    return Counter({run: n for run, n in counts.items() if n >= enough})


def candidates(cleaned: PageWithArtefacts) -> set[Run]:
    """Every run that some number in the page's artefacts would belong to."""
    index = cleaned.page.index
    numbers = (number for line in cleaned.artefacts for word in WORD.findall(line.text) for number in numbers_in(word))
    return {Run(roman, value - index) for roman, value in numbers if 0 < value <= LARGEST}


def numbers_in(word: str) -> list[tuple[bool, int]]:
    """(is roman, value) of a word that is a number; empty for any other."""
    if word.isdigit():
        return [(False, int(word))]
    value = from_roman(word.lower())
    return [(True, value)] if value else []


def best_run(cleaned: PageWithArtefacts, known: Counter[Run]) -> Run | None:
    """The best supported run among those the page's numbers belong to."""
    return max(candidates(cleaned) & known.keys(), key=lambda run: (known[run], not run.roman), default=None)


def fill(runs: Sequence[Run | None]) -> list[Run | None]:
    """The runs of all pages; a page without a number gets the next page's run if it reaches back to it, else the last one's."""
    filled = list(runs)
    for i in reversed(range(len(runs) - 1)):
        following = filled[i + 1]
        if filled[i] is None and following and following.first + i >= 1:
            filled[i] = following
    for i in range(1, len(runs)):
        filled[i] = filled[i] or filled[i - 1]
    return filled


def write(run: Run | None, index: int) -> str:
    """The label of page `index`; front matter that shows no number is counted in roman, as presses do, from the first page."""
    if run is None:
        return to_roman(index + 1)
    value = run.first + index
    return to_roman(value) if run.roman else str(value)


def to_roman(value: int) -> str:
    """The roman number of 14: "xiv"."""
    out = ""
    for letters, worth in ROMAN.items():
        while value >= worth:
            out, value = out + letters, value - worth
    return out


def from_roman(word: str) -> int:
    """The value of "xiv": 14; 0 for anything but a correct roman number."""
    value, rest = 0, word
    for letters, worth in ROMAN.items():
        while rest.startswith(letters):
            value, rest = value + worth, rest[len(letters) :]
    return value if not rest and to_roman(value) == word else 0
