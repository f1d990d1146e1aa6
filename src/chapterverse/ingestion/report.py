"""What a teacher is told of a book: figures, and warnings in whole sentences."""

from collections.abc import Iterator, Sequence
from itertools import groupby

from chapterverse.ingestion.marks import Page
from chapterverse.model import Kind, QualityReport, Sentence

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


def warnings_of(pages: Sequence[Page], empty: Sequence[int], outside: float, chapter_source: str, text: str) -> Iterator[str]:
    """Sentences for a teacher, most important first."""
    for first, last in ranges([i for i in empty if pages[i].images]):
        yield f"{named(first, last)} no text: scanned? They cannot be cited."
    if text.count(UNREADABLE) > MUCH_UNREADABLE * len(text):
        yield "Many letters cannot be read: the PDF's fonts do not say what they mean. Print the original to a new PDF."
    if chapter_source == "none":
        yield "No chapters were found: the whole book is cited as one."
    if outside > MUCH_OUTSIDE:
        yield f"{outside:.0%} of the text stands in no paragraph (running heads, contents, tables): look a few pages through."


def ranges(numbers: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Runs of successive numbers as (first, last)."""
    for _, group in groupby(enumerate(numbers), key=lambda pair: pair[1] - pair[0]):
        run = [number for _, number in group]
        yield run[0], run[-1]


def named(first: int, last: int) -> str:
    """Page indices as a teacher counts them: "Pages 12–15 have"."""
    return f"Page {first + 1} has" if first == last else f"Pages {first + 1}–{last + 1} have"
