"""Evidence, and references to a place in a book."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from chapterverse.core.book import Address, Chapter
from chapterverse.core.hits import Found, FoundBy, Passage
from chapterverse.messages import ENGLISH, Message, in_words, message

FEW = 3  # differences of a quotation that are named; more are seen beside the book


class Relation(StrEnum):
    """Relation of a sentence to the position of the student's paragraph."""

    SUPPORTS = "supports"
    CONTRADICTS = "contradicts"
    LIMITS = "limits"
    EXAMPLE = "example"
    BACKGROUND = "background"


@dataclass(frozen=True, slots=True)
class Difference:
    """Words of an essay in the place of words of a book; one of both may be empty."""

    ours: str
    theirs: str

    @property
    def message(self) -> Message:
        """For a student."""
        if not self.ours:
            return message("quote_leaves", theirs=self.theirs)
        if not self.theirs:
            return message("quote_adds", ours=self.ours)
        return message("quote_has", ours=self.ours, theirs=self.theirs)


@dataclass(frozen=True, slots=True)
class Quotation:
    """Words of a book in an essay: [start, end), characters of the paragraph. marked: as a quotation, by marks or set apart.

    differences: from the book; without any it is word for word. left_out: what each ellipsis stands for, shortened."""

    start: int
    end: int
    marked: bool
    differences: tuple[Difference, ...] = ()
    left_out: tuple[str, ...] = ()

    @property
    def exact(self) -> bool:
        """Whether it is word for word, apart from what an ellipsis leaves out."""
        return not self.differences

    def message_on(self, passage: Passage) -> Message:
        """Whether the words are marked, and word for word. passage: where they stand, which is shown beside it."""
        if not self.marked:
            return message("quote_unmarked" if page_name(passage.sentence.address) else "quote_unmarked_no_page")
        if len(self.differences) > FEW:
            return message("quote_differs_much")
        if self.differences:
            return message("quote_differs", differences=[each.message for each in self.differences])
        return message("quote_omits", words=self.left_out) if self.left_out else message("quote_exact")


@dataclass(frozen=True, slots=True)
class Evidence:
    """Numbered evidence, from 1. found_by: the queries that found it, best first; score: that of the first. relation:
    None if no model chose it. quotation: None if the essay does not quote it."""

    number: int
    passage: Passage
    score: float
    found_by: tuple[FoundBy, ...]
    relation: Relation | None = None
    quotation: Quotation | None = None

    @property
    def label(self) -> Message | None:
        """How the essay quotes it; None for a sentence that is only similar."""
        return self.quotation.message_on(self.passage) if self.quotation else None


def number_evidence(found: Sequence[tuple[Found, Passage]], first: int = 1) -> list[Evidence]:
    """Evidence in the order found. first: its first number."""
    return [Evidence(at, passage, one.found_by[0].score, one.found_by) for at, (one, passage) in enumerate(found, start=first)]


def cite(passage: Passage, language: str = ENGLISH) -> str:
    """Book, chapter and page in brackets, "(Book, Chapter 2, Page 35)" (S1-25). A chapter without a number is named by its
    title, and left out without either."""
    address = passage.sentence.address
    parts = [passage.book_title, chapter_name(address.chapter, language), page_name(address, language)]
    return f"({', '.join(part for part in parts if part)})"


def cite_with_origin(passage: Passage, language: str = ENGLISH) -> str:
    """As cite, followed by "(read by OCR)" if the words were read by text recognition."""
    origin = "" if passage.sentence.confidence is None else f" ({in_words(message('read_by_ocr'), language)})"
    return f"{cite(passage, language)}{origin}"


def chapter_name(chapter: Chapter, language: str = ENGLISH) -> str | None:
    """The number ("Chapter II"), else the title, else None."""
    number = chapter.number
    if number is None or " " in number:
        return number or chapter.title
    return in_words(message("chapter_named", number=number), language)


def page_name(address: Address, language: str = ENGLISH) -> str | None:
    """The printed page, "Page 35", or "Pages 35–36" for a sentence on both. None in a book without printed pages."""
    labels = [place.page_label for place in address.places if place.page_label]
    if not labels:
        return None
    first, last = labels[0], labels[-1]
    one, more = message("page_named", page=first), message("pages_named", first=first, last=last)
    return in_words(one if first == last else more, language)
