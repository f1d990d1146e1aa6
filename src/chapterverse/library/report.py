"""What a teacher is told of a book: figures, and warnings in whole sentences."""

from collections.abc import Iterator, Sequence
from itertools import groupby

from chapterverse.core.book import Kind, QualityReport, Sentence
from chapterverse.library.pdf.model import Page
from chapterverse.messages import Message, message

MUCH_OUTSIDE = 0.25

UNREADABLE = "\ufffd"

MUCH_UNREADABLE = 0.01


def report_on(
    pages: Sequence[Page], sentences: Sequence[Sentence], chapters: int, chapter_source: str, label_source: str
) -> QualityReport:
    """The report of a parsed book. pages: as read, with everything that stands on them."""
    text = [sentence.text for sentence in sentences if sentence.kind is Kind.SENTENCE]
    total = sum(len(token.text) for page in pages for line in page.lines for token in line.tokens)
    inside = sum(len(each.text.replace(" ", "")) for each in sentences)
    outside = max(0.0, 1 - inside / total) if total else 0.0
    empty = tuple(page.index for page in pages if not page.lines)
    warnings = tuple(warnings_of(pages, empty, outside, chapter_source, "".join(text)))
    words = sum(len(each.split()) for each in text)
    return QualityReport(
        len(pages), words, len(text), chapters, chapter_source, label_source, round(outside, 4), empty, warnings
    )


def warnings_of(
    pages: Sequence[Page], empty: Sequence[int], outside: float, chapter_source: str, text: str
) -> Iterator[Message]:
    """Sentences for a teacher, most important first."""
    for first, last in ranges([i for i in empty if pages[i].images]):
        yield without_text(first, last)
    if text.count(UNREADABLE) > MUCH_UNREADABLE * len(text):
        yield message("letters_unreadable")
    if chapter_source == "none":
        yield message("no_chapters_found")
    if outside > MUCH_OUTSIDE:
        yield message("text_outside_paragraphs", percent=round(100 * outside))


def ranges(numbers: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Runs of successive numbers as (first, last)."""
    for _, group in groupby(enumerate(numbers), key=lambda pair: pair[1] - pair[0]):
        run = [number for _, number in group]
        yield run[0], run[-1]


def without_text(first: int, last: int) -> Message:
    """Of a run of page indices, which a teacher counts from 1."""
    if first == last:
        return message("page_without_text", page=first + 1)
    return message("pages_without_text", first=first + 1, last=last + 1)
