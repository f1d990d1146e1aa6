"""Words to lines to ink: measured and broken as a typesetter would, greedily, one line after the other.

In a text "·" marks where a word may be broken, "^1" raises the 1."""

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache

import pymupdf
from pymupdf import mupdf

RAISED = re.compile(r"\^([\w*†‡§]+)")
RAISED_SIZE, RAISED_BY = 0.62, 0.36  # of the size of the line
BLANK = 0.25  # em
BREAK = "·"


@dataclass(frozen=True)
class Run:
    """Text in one style; rise: points above the baseline."""

    text: str
    size: float
    font: str = "tiro"
    rise: float = 0
    color: tuple[float, float, float] = (0, 0, 0)

    @property
    def width(self) -> float:
        return unit_width(self.font, self.text) * self.size


Word = tuple[Run, ...]
Measure = Callable[[int], float]  # how wide line n is, in points


@dataclass(frozen=True)
class Ink:
    """A run on the page, from x on the baseline y, turned by so many degrees."""

    x: float
    y: float
    run: Run
    rotation: float = 0


@cache
def font_named(name: str) -> pymupdf.Font:
    """A base-14 font: tiro, tibo, tiit, helv, hebo, cour."""
    return pymupdf.Font(name)


@cache
def unit_width(font: str, text: str) -> float:
    """Of the text, without its marks for breaking, at a size of one point."""
    return float(font_named(font).text_length(text.replace(BREAK, ""), 1))


def words_of(text: str, size: float, font: str = "tiro") -> list[Word]:
    return [word_of(word, size, font) for word in text.split()]


def word_of(word: str, size: float, font: str) -> Word:
    """The word's runs; every second part of the split is raised."""
    parts = enumerate(RAISED.split(word))
    runs = [Run(p, size * RAISED_SIZE, font, size * RAISED_BY) if i % 2 else Run(p, size, font) for i, p in parts if p]
    return tuple(runs)


def bare(word: Word) -> Word:
    """The word without its marks for breaking."""
    return tuple(replace(run, text=run.text.replace(BREAK, "")) if BREAK in run.text else run for run in word)


def width(word: Word) -> float:
    return sum(run.width for run in word)


def width_of(words: Sequence[Word]) -> float:
    """Of a line, its blanks not stretched."""
    return sum(map(step, words)) - (BLANK * words[0][0].size if words else 0)


def wrap(words: Sequence[Word], measure: Measure, hyphen: str = "-") -> list[list[Word]]:
    """Lines no wider than they may be; a word is broken where more of it fits."""
    lines: list[list[Word]] = [[]]
    waiting, taken = list(reversed(words)), 0.0
    while waiting:
        word, room = waiting.pop(), measure(len(lines) - 1)
        if not lines[-1] or taken + step(word) <= room:
            taken += step(word) if lines[-1] else width(word)
            lines[-1].append(bare(word))
            continue
        head, tail = broken(word, room - taken, hyphen)
        if head:
            lines[-1].append(bare(head))
        waiting.append(tail)
        lines.append([])
        taken = 0.0
    return lines


def step(word: Word) -> float:
    """What a word adds to a line."""
    return BLANK * word[0].size + width(word)


def broken(word: Word, room: float, hyphen: str) -> tuple[Word | None, Word]:
    """As much of the word as fits, with a hyphen, and the rest; nothing fits if it is None."""
    for head, tail in reversed(list(breaks(word, hyphen))):
        if step(head) <= room:
            return head, tail
    return None, word


def breaks(word: Word, hyphen: str) -> Iterator[tuple[Word, Word]]:
    """Every way to break a word; one with a hyphen of its own gets no second one there."""
    for i, run in enumerate(word):
        for found in re.finditer(BREAK, run.text):
            head, tail = run.text[: found.start()], run.text[found.end() :]
            mark = "" if head.endswith(("-", "\u2010")) else hyphen
            yield (*word[:i], replace(run, text=head + mark)), (replace(run, text=tail), *word[i + 1 :])


def ink_of(words: Sequence[Word], x: float, y: float, stretched_to: float | None = None) -> Iterator[Ink]:
    """A line from x on the baseline y: with blanks of the font, or moved apart to a width."""
    gap = 0.0
    if stretched_to is not None and len(words) > 1:
        gap = (stretched_to - width_of(words)) / (len(words) - 1)
    for word in words:
        for i, run in enumerate(word):
            blank = " " if stretched_to is None and i == len(word) - 1 else ""
            yield Ink(x, y - run.rise, replace(run, text=run.text + blank))
            x += run.width
        x += BLANK * word[0].size + gap


def draw(page: pymupdf.Page, inks: Iterable[Ink]) -> None:
    """Write everything on the page: one text object for each colour and direction."""
    groups: dict[tuple[tuple[float, float, float], float], list[Ink]] = defaultdict(list)
    for ink in inks:
        groups[ink.run.color, ink.rotation].append(ink)
    for (color, rotation), group in groups.items():
        writer = pymupdf.TextWriter(page.rect)
        for ink in group:
            font, size = font_named(ink.run.font), ink.run.size
            place = mupdf.fz_make_matrix(size, 0, 0, size, ink.x, page.rect.height - ink.y)
            mupdf.fz_show_string(writer.this, font.this, place, ink.run.text, 0, 0, 0, 0)
            if ink.run.font == "cour":
                writer.used_fonts.add(font)
        turn = (pymupdf.Point(group[0].x, group[0].y), pymupdf.Matrix(rotation)) if rotation else None
        writer.write_text(page, color=color, morph=turn)
