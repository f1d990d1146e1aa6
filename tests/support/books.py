"""Small parsed books, as if from a PDF, and a parser that reads plain text instead of a PDF."""

from collections.abc import Callable, Sequence

from bookreader.source import version_of
from chapterverse.core.book import Address, Book, BookId, Box, Chapter, Kind, Limits, Place, QualityReport, Sentence, SentenceId
from chapterverse.core.errors import BadBook

LIMITS = Limits(books=20, bytes=10**6, pages=100, words=10**5, seconds=600, megabytes=512)  # it gives way to all
CHAPTER = Chapter(0, "I", "The Beginning")


def report(**changes: object) -> QualityReport:
    """Of a book without faults."""
    facts = {"pages": 1, "words": 9, "sentences": 3, "chapters": 1, "chapter_source": "outline", "label_source": "folios"}
    return QualityReport(**facts | {"outside_share": 0.0, "pages_without_text": (), "warnings": ()} | changes)


def a_book(*paragraphs: Sequence[str], book: str = "book", version: str = "v1", title: str = "A Book") -> Book:
    """One chapter of the paragraphs, each a list of sentences."""
    numbered = enumerate(paragraphs)
    sentences = tuple(s for number, texts in numbered for s in paragraph_of(texts, number, BookId(book), version))
    return Book(BookId(book), version, title, ("An Author",), (CHAPTER,), sentences, report(pages=9, sentences=len(sentences)))


def paragraph_of(texts: Sequence[str], number: int, book: BookId, version: str) -> list[Sentence]:
    ids: list[SentenceId | None] = [None, *(SentenceId(f"{version}-{number}-{i}") for i in range(len(texts))), None]
    made, start = [], 0
    for i, text in enumerate(texts):
        span = (start, start + len(text))
        places = (Place(6, "vii", (Box(72.0, 100.5, 300.25, 112.0),)),)
        address = Address(book, version, CHAPTER, ("A Section",), f"{version}-{number}", number, i, span, places)
        made.append(Sentence(ids[i + 1], text, Kind.SENTENCE, address, ids[i], ids[i + 2]))
        start = span[1] + 1
    return made


class TextParser:
    """The port Parser on bytes that are plain text: a line a paragraph, "|" between sentences. It counts its calls.

    "scanned" is refused as a PDF without text would be."""

    def __init__(self) -> None:
        self.calls = 0

    def __call__(self, pdf: bytes, book: BookId, limits: Limits, progress: Callable[[int, int], None] | None = None) -> Book:
        self.calls += 1
        if pdf == b"scanned":
            raise BadBook("no_text", "The pages are pictures. Run text recognition over the PDF first.")
        if progress:
            progress(1, 1)
        lines = pdf.decode().splitlines()
        return a_book(*(line.split("|") for line in lines), book=book, version=version_of(pdf), title="Printed Title")
