"""Evidence, claims with their cited sentences, verdicts, and references to a place in a book."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from chapterverse.core.book import Address, Chapter
from chapterverse.core.hits import Found, FoundBy, Passage
from chapterverse.messages import Message, message


class Relation(StrEnum):
    """Relation of a sentence to the position of the student's paragraph."""

    SUPPORTS = "supports"
    CONTRADICTS = "contradicts"
    EXAMPLE = "example"
    BACKGROUND = "background"


RELATION_NAMES = {
    Relation.SUPPORTS: message("relation_supports"),
    Relation.CONTRADICTS: message("relation_contradicts"),
    Relation.EXAMPLE: message("relation_example"),
    Relation.BACKGROUND: message("relation_background"),
}


@dataclass(frozen=True, slots=True)
class Reading:
    """What the model that chose a sentence says of it: BACKGROUND if it only finds it useful. comment: to the student, in our
    words; may be empty."""

    relation: Relation
    comment: str = ""

    @property
    def verdict(self) -> "Verdict":
        """The relation as a verdict."""
        return BY_RELATION[self.relation]


@dataclass(frozen=True, slots=True)
class Difference:
    """Words of an essay in the place of words of a book; one of both may be empty."""

    ours: str
    theirs: str

    @property
    def words(self) -> int:
        """How many words differ."""
        return max(len(self.ours.split()), len(self.theirs.split()))

    @property
    def message(self) -> Message:
        """For a student."""
        if not self.ours:
            return message("quote_leaves", theirs=self.theirs)
        return (
            message("quote_has", ours=self.ours, theirs=self.theirs) if self.theirs else message("quote_adds", ours=self.ours)
        )


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
        """Where the words stand, and whether they are word for word. passage: where they stand."""
        place, words = cite(passage), sum(each.words for each in self.differences)
        if not self.marked:
            return message("quote_unmarked" if page_name(passage.sentence.address) else "quote_unmarked_no_page", place=place)
        if words:
            listed = [each.message for each in self.differences]
            return message("quote_one_differs" if words == 1 else "quote_differs", place=place, words=words, differences=listed)
        return (
            message("quote_omits", place=place, words=self.left_out) if self.left_out else message("quote_exact", place=place)
        )


@dataclass(frozen=True, slots=True)
class Evidence:
    """Numbered evidence, from 1. found_by: the queries that found it, best first; score: that of the first. reading: None if no
    model chose it. quotation: None if the essay does not quote it."""

    number: int
    passage: Passage
    score: float
    found_by: tuple[FoundBy, ...]
    reading: Reading | None = None
    quotation: Quotation | None = None

    @property
    def label(self) -> Message | None:
        """How the essay quotes it, or what it does for the student's point; None for a sentence that is only similar."""
        if self.quotation:
            return self.quotation.message_on(self.passage)
        return RELATION_NAMES[self.reading.relation] if self.reading else None

    @property
    def verdict(self) -> "Verdict | None":
        """What a model read in it, or how it is quoted; None for a sentence that is only similar."""
        if self.quotation:
            return Verdict(VerdictKind.NOT_FOUND, self.quotation.message_on(self.passage))
        return self.reading.verdict if self.reading else None


def number_evidence(
    found: Sequence[Found], passages: Sequence[Passage], readings: Sequence[Reading | None] = ()
) -> list[Evidence]:
    """Evidence in the order found; passages, readings: one for each hit, or no readings at all."""
    triples = zip(found, passages, readings or [None] * len(found), strict=True)
    return [
        Evidence(number, passage, one.found_by[0].score, one.found_by, reading)
        for number, (one, passage, reading) in enumerate(triples, start=1)
    ]


class VerdictKind(StrEnum):
    """Relation of the evidence to the claim; NOT_FOUND if it settles nothing."""

    SUPPORTS = "supports"
    PARTLY = "partly"
    CONTRADICTS = "contradicts"
    NOT_FOUND = "not_found"


@dataclass(frozen=True, slots=True)
class Verdict:
    """reason: one or two sentences for a student of twelve who also sees the sentence of the book."""

    kind: VerdictKind
    reason: Message

    @property
    def label(self) -> str:
        """What stands beside the sentence: the reason of what is only offered as reading, else the kind in words."""
        return str(self.reason).rstrip(".") if self.reason.id in LABELLED_BY_REASON else _IN_WORDS[self.kind]


LABELLED_BY_REASON = frozenset({"book_may_help", "book_gives_example", "quote_differs", "quote_exact", "quote_omits"})
LABELLED_BY_REASON |= {"quote_one_differs", "quote_unmarked", "quote_unmarked_no_page"}
_IN_WORDS = {
    VerdictKind.SUPPORTS: "The book seems to say the same",
    VerdictKind.PARTLY: "The book may be on the same point",
    VerdictKind.CONTRADICTS: "The book says otherwise",
    VerdictKind.NOT_FOUND: "The book does not settle it",
}


BY_RELATION = {
    Relation.SUPPORTS: Verdict(VerdictKind.SUPPORTS, message("book_seems_same")),
    Relation.CONTRADICTS: Verdict(VerdictKind.CONTRADICTS, message("book_seems_opposite")),
    Relation.EXAMPLE: Verdict(VerdictKind.PARTLY, message("book_gives_example")),
    Relation.BACKGROUND: Verdict(VerdictKind.NOT_FOUND, message("book_may_help")),
}
MAY_HELP = BY_RELATION[Relation.BACKGROUND]


def cite(passage: Passage) -> str:
    """Book, chapter and page in brackets, "(Book, Chapter 2, Page 35)" (S1-25). A chapter without a number is named by its
    title, and left out without either."""
    address = passage.sentence.address
    parts = [passage.book_title, chapter_name(address.chapter), page_name(address)]
    return f"({', '.join(part for part in parts if part)})"


def cite_with_origin(passage: Passage) -> str:
    """As cite, followed by "(read by OCR)" if the words were read by text recognition."""
    by_ocr = message("read_by_ocr")
    origin = "" if passage.sentence.confidence is None else f" ({by_ocr})"
    return f"{cite(passage)}{origin}"


def chapter_name(chapter: Chapter) -> str | None:
    """The number ("Chapter II"), else the title, else None."""
    number = chapter.number
    return number if number and " " in number else f"Chapter {number}" if number else chapter.title


def page_name(address: Address) -> str | None:
    """The printed page, "Page 35", or "Pages 35–36" for a sentence on both. None in a book without printed pages."""
    labels = [place.page_label for place in address.places if place.page_label]
    if not labels:
        return None
    first, last = labels[0], labels[-1]
    return f"Page {first}" if first == last else f"Pages {first}–{last}"
