"""Sentences found become evidence: numbered, and with what stands around them in the book.

A claim beside the sentence that it is held against.

Whether a sentence of a book bears out what a student says.

Where a sentence stands, in the words of S1: (Book, Chapter 2, Page 35).

What is said of an essay: comments, what each is about, and the evidence behind it."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum

from chapterverse.core.book import Address, Chapter
from chapterverse.core.hits import Found, FoundBy, Passage
from chapterverse.messages import Message


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


@dataclass(frozen=True, slots=True)
class ClaimPair:
    """claim: the student's; sentence: the book's, previous and next in its paragraph, empty at an edge. title: of the book."""

    claim: str
    sentence: str
    previous: str = ""
    next: str = ""
    title: str = ""

    @property
    def around(self) -> str:
        """What else may bear out a number or a name."""
        return f"{self.previous} {self.next} {self.title}"


def claim_pair(claim: str, evidence: Evidence) -> ClaimPair:
    """The claim beside a piece of evidence."""
    passage = evidence.passage
    before, after = (one.text if one else "" for one in (passage.previous, passage.next))
    return ClaimPair(claim, passage.sentence.text, before, after, passage.book_title)


class VerdictKind(StrEnum):
    """What the evidence does for the claim; NOT_FOUND where it settles nothing."""

    SUPPORTS = "supports"
    PARTLY = "partly"
    CONTRADICTS = "contradicts"
    NOT_FOUND = "not_found"

    @property
    def in_words(self) -> str:
        """A label for a student of twelve."""
        return _IN_WORDS[self]


_IN_WORDS = {
    VerdictKind.SUPPORTS: "The book seems to say the same",
    VerdictKind.PARTLY: "The book may be on the same point",
    VerdictKind.CONTRADICTS: "The book says otherwise",
    VerdictKind.NOT_FOUND: "The book does not settle it",
}


@dataclass(frozen=True, slots=True)
class Verdict:
    """reason: one or two whole sentences, for a student of twelve who sees the sentence of the book beside them."""

    kind: VerdictKind
    reason: Message


def cite(passage: Passage) -> str:
    """Book, chapter and page in brackets; a chapter without a number goes by its title, one without either is left out."""
    address = passage.sentence.address
    parts = [passage.book_title, chapter_name(address.chapter), page_name(address)]
    return f"({', '.join(part for part in parts if part)})"


def chapter_name(chapter: Chapter) -> str | None:
    """The number ("Chapter II"), else the title, else None."""
    return f"Chapter {chapter.number}" if chapter.number else chapter.title


def page_name(address: Address) -> str | None:
    """The printed page, "Page 35"; for a sentence that runs over a page "Pages 35–36", first and last. None where there are no
    pages."""
    if not address.places:
        return None
    first, last = address.places[0].page_label, address.places[-1].page_label
    return f"Page {first}" if first == last else f"Pages {first}–{last}"


Judge = Callable[[str, Evidence], Verdict]

Cited = tuple[str, Evidence]

JudgeAll = Callable[[Sequence[Cited]], list[Verdict]]
