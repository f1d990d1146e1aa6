"""A sentence and its context as JSON: in HTTP answers, in `--json` and `inspect --sentences`, in stored results."""

from collections.abc import Sequence
from dataclasses import asdict
from functools import partial
from typing import Any, Self

from pydantic import Field

from chapterverse.citations.model import cite
from chapterverse.core.book import Sentence
from chapterverse.core.hits import Passage
from chapterverse.core.requests import Record, picture_address

DIGITS = 1  # of a point, in boxes


class BoxRecord(Record):
    """A rectangle on a page in PDF points, origin top left. page: index from 0."""

    page: int
    x0: float
    y0: float
    x1: float
    y1: float


class SentenceRecord(Record):
    """A sentence of a source with its address, as the teacher corrected it.

    chapter: the title, or the number of a chapter without one. page_index (from 0) and page_label: of the sentence's first
    word; null without pages. boxes: one a line. prev_sentence_id, next_sentence_id: null at the edges of the paragraph. url:
    of a web page, null for a book. quotable: whether the text is what is printed; else the picture of its lines is shown.
    confidence: of the text recognition, 0 to 1; null if the file itself has the text. paragraph_number: printed beside the
    paragraph."""

    text: str
    kind: str
    book: str
    chapter_number: str | None
    chapter: str | None
    section_path: list[str]
    page_index: int | None
    page_label: str | None
    paragraph_id: str
    sentence_id: str
    prev_sentence_id: str | None
    next_sentence_id: str | None
    boxes: list[BoxRecord]
    url: str | None
    quotable: bool = True
    confidence: float | None = None
    paragraph_number: str | None = None

    @classmethod
    def of(cls, sentence: Sentence) -> Self:
        address = sentence.address
        first = address.places[0] if address.places else None
        return cls(
            text=sentence.text,
            kind=sentence.kind.value,
            book=address.book,
            chapter_number=address.chapter.number,
            chapter=address.chapter.name,
            section_path=list(address.section_path),
            page_index=first.page_index if first else None,
            page_label=first.page_label if first else None,
            paragraph_id=address.paragraph_id,
            sentence_id=sentence.id,
            prev_sentence_id=sentence.prev_id,
            next_sentence_id=sentence.next_id,
            boxes=[
                BoxRecord(page=place.page_index, **{side: round(length, DIGITS) for side, length in asdict(box).items()})
                for place in address.places
                for box in place.boxes
            ],
            url=address.url,
            quotable=sentence.quotable,
            confidence=sentence.confidence,
            paragraph_number=address.paragraph_number,
        )


class PassageRecord(Record):
    """A sentence in its paragraph. citation: "(Book, Chapter 2, Page 35)"; previous, next: null at the edges of it."""

    book_title: str
    citation: str
    sentence: SentenceRecord
    previous: str | None
    next: str | None
    further_reading: str = Field(description="The whole paragraph.")

    @classmethod
    def of_passage(cls, passage: Passage, /, **more: Any) -> Self:
        """The record of a passage. more: fields of a subclass."""
        return cls(
            book_title=passage.book_title,
            citation=cite(passage),
            sentence=SentenceRecord.of(passage.sentence),
            previous=passage.previous.text if passage.previous else None,
            next=passage.next.text if passage.next else None,
            further_reading=passage.paragraph,
            **more,
        )


class PageNumber(Record):
    """A page. page_index: from 0; page_label: the printed number. image: address of its picture with the sentence
    highlighted."""

    page_index: int
    page_label: str
    image: str


class SentencePlace(Record):
    """Where a sentence can be read. url: the first of its pages' pictures; of a web site, the page at its heading."""

    book: str
    sentence_id: str
    pages: Sequence[PageNumber]
    url: str | None


def place_of(passage: Passage) -> dict[str, Any]:
    """The fields of SentencePlace."""
    address, id = passage.sentence.address, passage.sentence.id
    picture = partial(picture_address, passage.collection, address.book, id)
    pages = [
        PageNumber(page_index=each.page_index, page_label=each.page_label, image=picture(each.page_index))
        for each in address.places
    ]
    return {"book": address.book, "sentence_id": id, "pages": pages, "url": pages[0].image if pages else address.url}
