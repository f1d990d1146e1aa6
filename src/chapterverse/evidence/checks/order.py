"""What comes first, what is more: the two sides of a comparison, changed over."""

import re
from collections.abc import Iterator

from chapterverse.evidence.checks.finding import Finding, Weight
from chapterverse.evidence.checks.words import content_of, read_clauses
from chapterverse.messages import message

CHANGED_OVER = message("comparison_reversed")

_COMPARISON = re.compile(
    r"\b(?:than|before|after|rather than|instead of|at the expense of|prior to|followed by|subordinate to)\b", re.IGNORECASE
)
_END = re.compile(r"[.;:?!—]")


def check_order(claim: str, sentence: str) -> Finding | None:
    """Both compare, by the same word, and what stands before it in one stands after it in the other."""
    for word, ours in _comparisons(claim):
        for same, theirs in _comparisons(sentence):
            if word == same and _changed_over(ours, theirs):
                return Finding(Weight.AGAINST, CHANGED_OVER)
    return None


Sides = tuple[frozenset[str], frozenset[str]]


def _comparisons(text: str) -> Iterator[tuple[str, Sides]]:
    """The word of each comparison, and the stems before and after it that stand on that side only."""
    for part in _END.split(text):
        for found in _COMPARISON.finditer(part):
            before, after = (content_of(read_clauses(side)) for side in (part[: found.start()], part[found.end() :]))
            yield found[0].lower(), (before - after, after - before)


def _changed_over(ours: Sides, theirs: Sides) -> bool:
    straight = len(ours[0] & theirs[0]) + len(ours[1] & theirs[1])
    crossed = len(ours[0] & theirs[1]) + len(ours[1] & theirs[0])
    return crossed > straight and bool(ours[0] & theirs[1] and ours[1] & theirs[0])
