"""Where a line's words part: MuPDF's blanks, corrected for letter-spacing (too many) and for tight lines (too few).

Characters are PyMuPDF's dictionaries: "c" the character, "bbox" its box, "synthetic" whether MuPDF made it from a gap."""

from collections.abc import Iterator
from itertools import groupby, pairwise
from statistics import median
from typing import Any, NamedTuple

Char = dict[str, Any]
SPACED = 0.12  # em: letters set further apart than half of this are spaced; a blank adds at least this
WIDER = 1.4  # × the usual gap between spaced letters: a wider one parts words
TIGHT = 0.6  # × the line's usual blank: a gap after a stop that is at least so wide is one
STOPS = ".,;:!?”’)…"


class Blanks(NamedTuple):
    """Corrections, by the identity of characters. false: no blank after all. missing: a blank belongs before these."""

    false: frozenset[int]
    missing: frozenset[int]


def blanks_of(chars: list[Char], size: float) -> Blanks:
    """The corrections for one line of characters in type of `size` points."""
    return Blanks(false_blanks(chars, size), missing_blanks(chars, size))


def missing_blanks(chars: list[Char], size: float) -> frozenset[int]:
    """Characters after a stop that stand nearly as far from it as this line's words stand apart: tight lines lose blanks so."""
    usual = [width_of(char) for char in chars if char["c"] == " "]
    least = max(SPACED * size, TIGHT * median(usual)) if len(usual) > 1 else size
    pairs = ((a, b) for a, b in pairwise(chars) if a["c"] in STOPS and not b["c"].isspace())
    return frozenset(id(b) for a, b in pairs if b["bbox"][0] - a["bbox"][2] >= least)


def false_blanks(chars: list[Char], size: float) -> frozenset[int]:
    """Gaps that MuPDF took for blanks between s p a c e d letters."""
    if not any(char["synthetic"] for char in chars):
        return frozenset()
    least = least_blank(chars, size)
    inner = [b for a, b, c in zip(chars, chars[1:], chars[2:], strict=False) if a["c"].isalpha() and c["c"].isalpha()]
    narrow = {id(char) for char in inner if char["synthetic"] and width_of(char) < least}
    return frozenset(narrow | {id(char) for char in between_letters(chars)})


def least_blank(chars: list[Char], size: float) -> float:
    """Points a gap must measure to be a blank: in a line whose letters are all spaced, more than the spacing."""
    pairs = [(a, b) for a, b in pairwise(chars) if not a["c"].isspace() and not b["c"].isspace()]
    spacing = median(b["bbox"][0] - a["bbox"][2] for a, b in pairs) if pairs else 0.0
    return float(spacing + SPACED * size) if spacing > SPACED / 2 * size else 0.0


def between_letters(chars: list[Char]) -> Iterator[Char]:
    """The gaps of about one width between letters that stand singly."""
    for _, group in groupby(chars, key=lambda char: char["c"].isspace() and not char["synthetic"]):
        chunk = list(group)
        gaps = [char for char in chunk if char["synthetic"]]
        if gaps and is_spaced(pieces_of(chunk)):
            widest = WIDER * median(width_of(gap) for gap in gaps)
            yield from (gap for gap in gaps if width_of(gap) <= widest)


def is_spaced(pieces: list[list[Char]]) -> bool:
    """Whether pieces between blanks are letters standing singly (each with the gap after it)."""
    letters = [sum(not char["synthetic"] for char in piece) for piece in pieces]
    return len(letters) > 1 and max(letters) == 1


def pieces_of(run: list[Char]) -> list[list[Char]]:
    """A run of characters cut after each gap that MuPDF made."""
    pieces: list[list[Char]] = [[]]
    for char in run:
        pieces[-1].append(char)
        if char["synthetic"]:
            pieces.append([])
    return [piece for piece in pieces if piece]


def width_of(char: Char) -> float:
    return float(char["bbox"][2] - char["bbox"][0])
