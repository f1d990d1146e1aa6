"""The outline of an essay's own argument: its claim, its reasons with their evidence, and the other side that it names."""

from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace
from enum import StrEnum

from chapterverse.essays.task import Genre


class PieceKind(StrEnum):
    """Where a piece of evidence in an essay comes from."""

    BOOK = "book"  # of the school
    SOURCE = "source"  # that the essay names or quotes
    STATISTIC = "statistic"
    EXAMPLE = "example"


@dataclass(frozen=True, slots=True)
class EssaySpan:
    """Characters [start, end) of the paragraph with this index."""

    paragraph: int
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class EvidencePiece:
    """A sentence with evidence. specific: its names, numbers, quotations and details of books; empty if it has none."""

    place: EssaySpan
    kind: PieceKind
    specific: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Reason:
    """A reason for the claim. pieces: the evidence that the essay gives for it; books: numbers of the evidence found in the
    school's books that bears on it."""

    place: EssaySpan
    pieces: tuple[EvidencePiece, ...] = ()
    books: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Outline:
    """What an essay argues, in its own words; None and empty: not found. counter: the sentence that names the other side;
    others: evidence that belongs to no reason; by: the language model's name, or BY_RULES."""

    genre: Genre
    claim: EssaySpan | None = None
    reasons: tuple[Reason, ...] = ()
    counter: EssaySpan | None = None
    others: tuple[EvidencePiece, ...] = ()
    by: str = "rules"

    @property
    def pieces(self) -> tuple[EvidencePiece, ...]:
        """All pieces of evidence, in the essay's order."""
        every = (*self.others, *(piece for reason in self.reasons for piece in reason.pieces))
        return tuple(sorted(every, key=lambda one: (one.place.paragraph, one.place.start)))

    def without(self, numbers: Collection[int]) -> "Outline":
        """The outline without these numbers of evidence."""
        return replace(self, reasons=tuple(_only(self.reasons, numbers)))

    def without_paragraphs(self, unrelated: Collection[int]) -> "Outline":
        """The outline without what stands in the paragraphs with these indices."""
        remaining = tuple(one for one in self.reasons if one.place.paragraph not in unrelated)
        return replace(
            self, reasons=remaining, others=tuple(one for one in self.others if one.place.paragraph not in unrelated)
        )


def _only(reasons: Collection[Reason], hidden: Collection[int]) -> Iterator[Reason]:
    return (replace(one, books=tuple(number for number in one.books if number not in hidden)) for one in reasons)
