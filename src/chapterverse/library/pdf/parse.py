"""The pipeline of this package: a PDF's bytes to a Book of addressed sentences, with its report. Every step but the first is
pure."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

from chapterverse.core.book import Book, BookId, Chapter, Kind, Limits, QualityReport, Sentence
from chapterverse.core.errors import BadBook
from chapterverse.library.model import version_of
from chapterverse.library.pdf.addresses import Edition, sentences_of
from chapterverse.library.pdf.blocks import TextBlock, extras_of, merge, part_captions, renumbered, text_blocks
from chapterverse.library.pdf.chapters import OutlineEntry, contents_of, outline_of, structure_of
from chapterverse.library.pdf.flow import flow_of
from chapterverse.library.pdf.frame import body_size, frames_of, part_margins
from chapterverse.library.pdf.headings import find_headings
from chapterverse.library.pdf.labels import Labels, label_pages
from chapterverse.library.pdf.model import Line, PdfPage
from chapterverse.library.pdf.notes import part_notes
from chapterverse.library.pdf.open import open_pdf
from chapterverse.library.pdf.page_artefacts import remove_artefacts
from chapterverse.library.pdf.paragraphs import habits_of, set_initials
from chapterverse.library.pdf.read import read_pages
from chapterverse.library.pdf.reading_order import order_lines
from chapterverse.library.pdf.words import vocabulary_of
from chapterverse.library.uploads import DEFAULT_LIMITS
from chapterverse.messages import Message, message

MIN_LETTERS = 20

NO_TITLE = re.compile(  # a file's name, or a program's default title
    r"\.(?:docx?|tex|indd|pdf|qxd|dvi|rtf|odt|txt|md|html?|pptx?|epub)$|^(?:untitled|microsoft (?:word|powerpoint)|https?:)"
    r"|^\W*(?:anonymous|unspecified|unknown|no title|title|(?:document|layout|slide) ?\d*|powerpoint presentation)\W*$",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class PdfContent:
    """What is read from a PDF: pages, outline, and its own title and authors."""

    pages: tuple[PdfPage, ...]
    outline: tuple[OutlineEntry, ...]
    metadata: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class PdfLayout:
    """What the pages mean: their labels, all blocks in reading order, the source of the chapters, the lines of the running
    text, and the marks of the notes on each page."""

    labels: Labels
    blocks: tuple[TextBlock, ...]
    chapter_source: str
    lines: tuple[Line, ...]
    marks: Mapping[int, frozenset[str]]


def parse_book(
    pdf: bytes, book: BookId, limits: Limits = DEFAULT_LIMITS, progress: Callable[[int, int], None] | None = None
) -> Book:
    """The book with all its sentences. progress(done, total) counts pages.

    Raises BadBook: see `open_pdf`, and no_text, too_many_words."""
    with open_pdf(pdf, limits) as document:
        source = PdfContent(tuple(read_pages(document, progress)), tuple(outline_of(document)), document.metadata or {})
    refuse_without_text(source.pages)
    parsed = book_from(source, book, version_of(pdf))
    refuse_without_sentences(parsed.report.sentences)
    refuse_too_long(parsed.report.words, limits)
    return parsed


def book_from(source: PdfContent, book: BookId, version: str) -> Book:
    """The book made from pages as read."""
    layout = layout_of(source)
    to_display = {page.index: page.to_display for page in source.pages if page.to_display}
    sizes = {page.index: (page.width, page.height) for page in source.pages}
    edition = Edition(book, version, layout.labels.of_page, vocabulary_of(layout.lines), layout.marks, to_display, sizes)
    sentences = tuple(sentences_of(layout.blocks, edition))
    chapters = chapters_of(layout.blocks)
    report = report_on(source.pages, sentences, len(chapters), layout.chapter_source, layout.labels.source)
    return Book(book, version, title_of(source.metadata), authors_of(source.metadata), chapters, sentences, report)


def layout_of(source: PdfContent) -> PdfLayout:
    """The steps from lines on pages to blocks in order: page artefacts go first, then the reading order, then the parts of the
    text."""
    frames = frames_of(source.pages)
    cleaned = remove_artefacts(source.pages, frames)
    margined = part_margins([each.page for each in cleaned], frames)
    noted = part_notes(set_initials([each.page for each in margined], body_size(source.pages)), frames)
    text = [each.page for each in noted]
    ordered = order_lines(text, frames)
    captioned = part_captions(flow_of(text, [each.lines for each in ordered], frames))
    headings = find_headings(captioned.flow)
    contents = contents_of(captioned.flow, headings, len(text))
    structure = structure_of(captioned.flow, headings, source.outline, contents)
    paragraphs = text_blocks(captioned.flow, structure, contents, habits_of(captioned.flow))
    blocks = merge(paragraphs, extras_of(noted, captioned, ordered, margined))
    lines = tuple(line for page in text for line in page.lines)
    marks = {each.page.index: each.marks for each in noted}
    return PdfLayout(label_pages(cleaned), tuple(renumbered(blocks)), structure.source, lines, marks)


def chapters_of(blocks: Sequence[TextBlock]) -> tuple[Chapter, ...]:
    """The chapters that hold text, in order."""
    found = {block.chapter.index: block.chapter for block in blocks if block.chapter.index >= 0}
    return tuple(found[index] for index in sorted(found))


def refuse_without_text(pages: Sequence[PdfPage]) -> None:
    """Raises BadBook: no_text."""
    letters = sum(len(token.text) for page in pages for line in page.lines for token in line.tokens)
    if letters < MIN_LETTERS:
        seen = message("only_pictures" if any(page.images for page in pages) else "hardly_a_word")
        raise BadBook("no_text", "pdf_without_text", seen=seen)


def refuse_without_sentences(sentences: int) -> None:
    """Raises BadBook: no_text."""
    if not sentences:
        raise BadBook("no_text", "pdf_without_sentences")


def refuse_too_long(words: int, limits: Limits) -> None:
    """Raises BadBook: too_many_words."""
    if words > limits.words:
        raise BadBook("too_many_words", "book_too_many_words", words=words, max_words=limits.words)


def title_of(metadata: Mapping[str, str]) -> str:
    """The PDF's own title; empty if it has none, or only a file's name or a program's default."""
    title = " ".join((metadata.get("title") or "").split())
    return "" if NO_TITLE.search(title) else title


def authors_of(metadata: Mapping[str, str]) -> tuple[str, ...]:
    """The names in the PDF's author field, separated at semicolons, ampersands and "and"."""
    names = re.split(r"\s*;\s*|\s+&\s+|\s+and\s+", metadata.get("author") or "")
    return tuple(name.strip() for name in names if name.strip())


MUCH_OUTSIDE = 0.25
UNREADABLE = "\ufffd"
MUCH_UNREADABLE = 0.01


def report_on(
    pages: Sequence[PdfPage], sentences: Sequence[Sentence], chapters: int, chapter_source: str, label_source: str
) -> QualityReport:
    """The report of a parsed book. pages: as read, with everything on them."""
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
    pages: Sequence[PdfPage], empty: Sequence[int], outside: float, chapter_source: str, text: str
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
    """The warning about a run of pages without text. Page indices count from 0, the warning's numbers from 1."""
    if first == last:
        return message("page_without_text", page=first + 1)
    return message("pages_without_text", first=first + 1, last=last + 1)
