"""Books typeset for a test and read back: what goes in, what comes out."""

import re

from bookreader.pdf.parse import parse_book
from chapterverse.core.book import Book, BookId, Kind, Sentence
from tests.support.press import PLAIN, Design, Element
from tests.support.prose import Author, plain
from tests.support.typeset import para, typeset


def read(*elements: Element, design: Design = PLAIN, outline: bool = False) -> Book:
    """Typeset and parsed."""
    return parse_book(typeset(*elements, design=design, outline=outline), BookId("book"))


def prose(paragraphs: int = 6, seed: int = 0) -> list[Element]:
    """Paragraphs of a story, so that a book has habits to learn."""
    author = Author(seed)
    return [para(author.paragraph()) for _ in range(paragraphs)]


def told(paragraphs: int, seed: int) -> list[list[str]]:
    """The sentences of `prose` with the same arguments, paragraph by paragraph, as their author wrote them."""
    author = Author(seed)
    return [re.split(r"(?<=\.) ", plain(author.paragraph())) for _ in range(paragraphs)]


def of_kind(book: Book, kind: Kind = Kind.SENTENCE) -> list[str]:
    return [sentence.text for sentence in book.sentences if sentence.kind is kind]


def paragraphs_of(book: Book) -> list[list[str]]:
    """The texts of the sentences, paragraph by paragraph."""
    paragraphs: dict[str, list[str]] = {}
    for sentence in book.sentences:
        if sentence.kind is Kind.SENTENCE:
            paragraphs.setdefault(sentence.address.paragraph_id, []).append(sentence.text)
    return list(paragraphs.values())


def with_words(book: Book, words: str) -> list[Sentence]:
    """The sentences, of any kind, that hold these words."""
    return [sentence for sentence in book.sentences if words in sentence.text]


def the_one_with(book: Book, words: str) -> Sentence:
    [sentence] = with_words(book, words)
    return sentence
