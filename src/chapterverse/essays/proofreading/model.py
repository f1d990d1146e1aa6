"""What the proofreader gives back, and what it works with."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from chapterverse.messages import Message

Kind = Literal["spelling", "grammar", "punctuation", "capitals"]


@dataclass(frozen=True, slots=True)
class Correction:
    """A mistake that is sure, and how it is mended. paragraph: its index; span: its characters [start, end) in the paragraph;
    instead: what stands there then, empty if nothing does; why: a sentence for the student."""

    paragraph: int
    span: tuple[int, int]
    instead: str
    why: str
    kind: Kind


@dataclass(frozen=True, slots=True)
class Proofread:
    """The corrections of an essay in reading order, none of which overlap. notes: what was not checked."""

    corrections: tuple[Correction, ...] = ()
    notes: tuple[Message, ...] = ()


class CheckerUnavailable(Exception):
    """A grammar checker or a dictionary did not answer as it should, or not in time."""


Checker = Callable[[Sequence[str], float], list[Correction]]
"""The mistakes in some paragraphs, within so many seconds. Raises CheckerUnavailable."""

Dictionary = Callable[[Sequence[str], float], Mapping[str, Sequence[str]]]
"""The words of English that it does not have, each with what it offers instead, within so many seconds. Raises
CheckerUnavailable."""


def overlaps(span: tuple[int, int], others: Sequence[tuple[int, int]]) -> bool:
    """Whether two spans have a character in common; an empty one, where it stands within the other."""
    return any(span[0] < end and start < max(span[1], span[0] + 1) for start, end in others)
