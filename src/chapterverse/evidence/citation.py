"""Where a sentence stands, in the words of S1: (Book, Chapter 2, Page 35)."""

from chapterverse.evidence.numbering import Passage
from chapterverse.model import Address, Chapter


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
