"""Where a line's words part: MuPDF's blanks, corrected for letter-spacing (too many) and for tight lines (too few).

Characters are PyMuPDF's dictionaries: "c" the character, "bbox" its box, "synthetic" whether MuPDF made it from a gap. A line
is its characters and, letter by letter, its text; a character is told by its place in both."""

import re
from collections.abc import Iterable, Iterator, Sequence
from statistics import median
from typing import Any, NamedTuple

Char = dict[str, Any]
SPACED = 0.12  # em: letters set further apart than half of this are spaced; a blank adds at least this
WIDER = 1.4  # × the usual gap between spaced letters: a wider one parts words
TIGHT = 0.6  # × the line's usual blank: a gap after a stop that is at least so wide is one
AFTER_STOP = re.compile(r"(?<=[.,;:!?”’)…])\S")
JOINED = re.compile(r"(?<=\S)\S")  # a letter after another one
# In the sketch of a line "x" is a letter and "~" a blank that MuPDF made: letters standing singly, with gaps between them.
SINGLES = re.compile(r"(?<!\S)(?=\S*x)(?=\S*~\S)(?:x?~)+x?(?!\S)")


class Blanks(NamedTuple):
    """Corrections, by the place of characters in their line. false: no blank after all. missing: a blank belongs before
    these."""

    false: frozenset[int]
    missing: frozenset[int]


def blanks_of(chars: Sequence[Char], text: str, size: float) -> Blanks:
    """The corrections for one line of characters in type of `size` points."""
    return Blanks(false_blanks(chars, text, size), missing_blanks(chars, text, size))


def missing_blanks(chars: Sequence[Char], text: str, size: float) -> frozenset[int]:
    """Characters after a stop that stand nearly as far from it as this line's words stand apart: tight lines lose blanks so."""
    after = [found.start() for found in AFTER_STOP.finditer(text)]
    if not after:
        return frozenset()
    usual = [width_of(char) for char, letter in zip(chars, text, strict=True) if letter == " "]
    least = max(SPACED * size, TIGHT * median(usual)) if len(usual) > 1 else size
    return frozenset(i for i in after if gap_before(chars, i) >= least)


def false_blanks(chars: Sequence[Char], text: str, size: float) -> frozenset[int]:
    """Gaps that MuPDF took for blanks between s p a c e d letters."""
    gaps = [i for i, letter in enumerate(text) if letter == " " and chars[i]["synthetic"]]
    if not gaps:
        return frozenset()
    least = least_blank(chars, text, size)
    inner = (i for i in gaps if text[i - 1 : i].isalpha() and text[i + 1 : i + 2].isalpha())
    return frozenset([*(i for i in inner if width_of(chars[i]) < least), *between_letters(chars)])


def least_blank(chars: Sequence[Char], text: str, size: float) -> float:
    """Points a gap must measure to be a blank: in a line whose letters are all spaced, more than the spacing."""
    gaps = [gap_before(chars, found.start()) for found in JOINED.finditer(text)]
    spacing = median(gaps) if gaps else 0.0
    return spacing + SPACED * size if spacing > SPACED / 2 * size else 0.0


def between_letters(chars: Sequence[Char]) -> Iterator[int]:
    """The gaps of about one width between letters that stand singly."""
    for run in SINGLES.finditer(sketch_of(chars)):
        gaps = [i for i in range(*run.span()) if chars[i]["synthetic"]]
        widest = WIDER * median(width_of(chars[i]) for i in gaps)
        yield from (i for i in gaps if width_of(chars[i]) <= widest)


def sketch_of(chars: Iterable[Char]) -> str:
    """A line with "~" for each gap that MuPDF took for a blank, a blank for each real one, and "x" for any other character."""
    return "".join(["~" if char["synthetic"] else " " if char["c"].isspace() else "x" for char in chars])


def gap_before(chars: Sequence[Char], i: int) -> float:
    """Points between a character and the one before it."""
    return float(chars[i]["bbox"][0] - chars[i - 1]["bbox"][2])


def width_of(char: Char) -> float:
    return float(char["bbox"][2] - char["bbox"][0])
