"""What a teacher looks for in an essay, criterion by criterion."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

MOST = 12  # criteria
LONGEST = 300  # characters of one

_MARKER = re.compile(r"^\s*(?:[-*•+]|\d{1,2}[.)])\s+")
_WEIGHT = re.compile(r"\s*\((?:weight:?\s*)?(\d{1,3})\s*(?:%|points?|pts?\.?)?\)\s*\.?\s*$", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Criterion:
    """weight: against those of the others; 1 unless the teacher says otherwise."""

    text: str
    weight: int = 1


Rubric = tuple[Criterion, ...]


def read_rubric(text: str) -> Rubric:
    """A criterion a line, which may begin like an item of a list and end in its weight: "(20 %)", "(3 points)"."""
    return weightiest_first([_criterion(_MARKER.sub("", line)) for line in text.splitlines() if line.strip()])


def weightiest_first(criteria: Sequence[Criterion]) -> Rubric:
    """As a teacher would go through them; the first MOST, each no longer than LONGEST."""
    in_order = sorted(criteria, key=lambda one: -one.weight)
    return tuple(Criterion(" ".join(one.text.split())[:LONGEST], one.weight) for one in in_order[:MOST])


def rubric_block(rubric: Rubric) -> str:
    """For a prompt: numbered, with weights where they differ."""
    weighed = len({one.weight for one in rubric}) > 1
    lines = (f"{n}. {one.text}{f' (weight {one.weight})' if weighed else ''}" for n, one in enumerate(rubric, start=1))
    return "\n".join(lines)


def _criterion(line: str) -> Criterion:
    found = _WEIGHT.search(line)
    return Criterion(line[: found.start()].strip(), int(found[1])) if found else Criterion(line.strip())
