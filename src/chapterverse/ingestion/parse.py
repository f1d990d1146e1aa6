"""A PDF's bytes → a Book of addressed sentences: the pipeline of this package, step by step. Every step but the first is pure."""

import re
from collections.abc import Callable, Sequence


from chapterverse.errors import BadBook
from chapterverse.ingestion.addresses import Edition, sentences_of
from chapterverse.ingestion.blocks import Block, renumbered, text_blocks, with_notes
from chapterverse.ingestion.captions import part_captions
from chapterverse.ingestion.chapters import structure_of
from chapterverse.ingestion.flow import flow_of
from chapterverse.ingestion.frame import body_size, frames_of
from chapterverse.ingestion.furniture import take_off_furniture
from chapterverse.ingestion.headings import find_headings
from chapterverse.ingestion.initials import set_initials
from chapterverse.ingestion.labels import Labels, label_pages
from chapterverse.ingestion.limits import USUAL, Limits
from chapterverse.ingestion.margins import part_margins
from chapterverse.ingestion.marks import Page
from chapterverse.ingestion.notes import Noted, part_notes
from chapterverse.ingestion.open import open_pdf
from chapterverse.ingestion.outline import Entry, contents_of, outline_of
from chapterverse.ingestion.paragraphs import habits_of
from chapterverse.ingestion.read import read_pages
from chapterverse.ingestion.reading_order import order_lines
from chapterverse.ingestion.report import report_on
from chapterverse.ingestion.version import version_of
from chapterverse.ingestion.words import vocabulary_of
from chapterverse.model import Book, BookId, Chapter

LEAST_LETTERS = 20
OTHER_EDITION = "Run text recognition (OCR) on the PDF, or get a digital edition."
FILE_NAME = re.compile(r"\.(?:docx?|tex|indd|pdf|qxd|dvi|rtf|odt)$|^(?:untitled|microsoft word)", re.IGNORECASE)


def parse_book(
    pdf: bytes, book: BookId, limits: Limits = USUAL, progress: Callable[[int, int], None] | None = None
) -> Book:
    """The book with all its sentences. progress(done, total) counts pages.

    Raises BadBook: see `open_pdf`, and no_text, too_many_words."""
    with open_pdf(pdf, limits) as document:
        pages = read_pages(document, progress)
        outline, metadata = outline_of(document), document.metadata or {}
    refuse_without_text(pages)
    return book_from(pages, outline, metadata, book, version_of(pdf), limits)


def book_from(
    pages: Sequence[Page], outline: Sequence[Entry], metadata: dict[str, str], book: BookId, version: str, limits: Limits
) -> Book:
    """Pages as read → the Book."""
    labels, noted, blocks, source = blocks_of(pages, outline)
    lines = [line for each in noted for line in each.page.lines]
    marks = {each.page.index: each.marks for each in noted}
    edition = Edition(book, version, labels.of_page, vocabulary_of(lines), marks)
    sentences = tuple(sentences_of(blocks, edition))
    chapters = chapters_of(blocks)
    report = report_on(pages, sentences, len(chapters), source, labels.source)
    refuse_without_sentences(report.sentences)
    refuse_too_long(report.words, limits)
    return Book(book, version, title_of(metadata, book), authors_of(metadata), chapters, sentences, report)


def blocks_of(pages: Sequence[Page], outline: Sequence[Entry]) -> tuple[Labels, list[Noted], list[Block], str]:
    """Page labels, pages parted from their notes, all blocks in order, and where the chapters came from."""
    frames = frames_of(pages)
    cleaned = take_off_furniture(pages, frames)
    margined = part_margins([each.page for each in cleaned], frames)
    noted = part_notes(set_initials([each.page for each in margined], body_size(pages)), frames)
    text = [each.page for each in noted]
    ordered = order_lines(text, frames)
    captioned = part_captions(flow_of(text, [each.lines for each in ordered], frames))
    headings = find_headings(captioned.flow)
    contents = contents_of(captioned.flow, headings, len(pages))
    structure = structure_of(captioned.flow, headings, outline, contents)
    paragraphs = text_blocks(captioned.flow, structure, contents, habits_of(captioned.flow))
    asides = [aside for each in ordered for aside in each.asides]
    blocks = renumbered(with_notes(paragraphs, noted, captioned.captions, asides))
    return label_pages(cleaned), noted, blocks, structure.source


def chapters_of(blocks: Sequence[Block]) -> tuple[Chapter, ...]:
    """The chapters that hold text, in order."""
    found = {block.chapter.index: block.chapter for block in blocks if block.chapter.index >= 0}
    return tuple(found[index] for index in sorted(found))


def refuse_without_text(pages: Sequence[Page]) -> None:
    """Raises BadBook: no_text."""
    letters = sum(len(token.text) for page in pages for line in page.lines for token in line.tokens)
    if letters < LEAST_LETTERS:
        raise BadBook("no_text", f"The pages hold no text, only pictures of it (a scan?). {OTHER_EDITION}")


def refuse_without_sentences(sentences: int) -> None:
    """Raises BadBook: no_text."""
    if not sentences:
        raise BadBook("no_text", f"No sentence can be made out on the pages. {OTHER_EDITION}")


def refuse_too_long(words: int, limits: Limits) -> None:
    """Raises BadBook: too_many_words."""
    if words > limits.words:
        raise BadBook("too_many_words", f"The book has {words} words, the limit is {limits.words}. Split it into volumes.")


def title_of(metadata: dict[str, str], book: BookId) -> str:
    """The PDF's own title unless it is a file's name; else the book's id as words."""
    title = " ".join((metadata.get("title") or "").split())
    return title if title and not FILE_NAME.search(title) else str(book).replace("-", " ").title()


def authors_of(metadata: dict[str, str]) -> tuple[str, ...]:
    """The names in the PDF's author field, parted at semicolons, ampersands and "and"."""
    names = re.split(r"\s*;\s*|\s+&\s+|\s+and\s+", metadata.get("author") or "")
    return tuple(name.strip() for name in names if name.strip())


