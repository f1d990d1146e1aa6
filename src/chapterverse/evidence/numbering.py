"""Sentences found become evidence: numbered, and with what stands around them in the book."""

from collections.abc import Sequence
from dataclasses import dataclass

from chapterverse.model import Found, FoundBy, Sentence


@dataclass(frozen=True, slots=True)
class Passage:
    """A sentence where it stands: previous and next within its paragraph (None at an edge), and the whole paragraph."""

    book_title: str
    sentence: Sentence
    previous: Sentence | None
    next: Sentence | None
    paragraph: str


@dataclass(frozen=True, slots=True)
class Evidence:
    """Evidence #number, from 1. score: the best among those of the queries that found it, best first."""

    number: int
    passage: Passage
    score: float
    found_by: tuple[FoundBy, ...]


def number_evidence(found: Sequence[Found], passages: Sequence[Passage]) -> list[Evidence]:
    """The sentences found, in the order given; passages: one for each of them."""
    pairs = zip(found, passages, strict=True)
    return [
        Evidence(number, passage, one.found_by[0].score, one.found_by) for number, (one, passage) in enumerate(pairs, start=1)
    ]
