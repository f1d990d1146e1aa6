"""A sentence with its address as JSON: the contract of `chapterverse inspect --sentences` and of every answer."""

from dataclasses import asdict
from typing import Any

from chapterverse.model import Sentence

TENTH = 1  # digits after the point


def sentence_json(sentence: Sentence) -> dict[str, Any]:
    """page_index (from 0) and page_label are those of the sentence's first word; a box a line, in PDF points from the top left,
    to a tenth; chapter is the title, or the number of a chapter without one; prev_sentence_id and next_sentence_id are null at
    the edges of the paragraph. url is where what has no pages is read; of that page and label are null, as url is of a book."""
    address = sentence.address
    first = address.places[0] if address.places else None
    return {
        "text": sentence.text,
        "kind": sentence.kind.value,
        "book": address.book,
        "chapter_number": address.chapter.number,
        "chapter": address.chapter.name,
        "section_path": list(address.section_path),
        "page_index": first and first.page_index,
        "page_label": first and first.page_label,
        "paragraph_id": address.paragraph_id,
        "sentence_id": sentence.id,
        "prev_sentence_id": sentence.prev_id,
        "next_sentence_id": sentence.next_id,
        "boxes": [
            {"page": place.page_index} | {side: round(length, TENTH) for side, length in asdict(box).items()}
            for place in address.places
            for box in place.boxes
        ],
        "url": address.url,
    }
