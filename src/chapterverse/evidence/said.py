"""A claim beside the sentence that it is held against."""

from dataclasses import dataclass

from chapterverse.evidence.numbering import Evidence


@dataclass(frozen=True, slots=True)
class Said:
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


def said_of(claim: str, evidence: Evidence) -> Said:
    """The claim beside a piece of evidence."""
    passage = evidence.passage
    before, after = (one.text if one else "" for one in (passage.previous, passage.next))
    return Said(claim, passage.sentence.text, before, after, passage.book_title)
