"""The pipeline of this package: a PDF's bytes to a Book of addressed sentences and its report. All steps but one are pure."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from pymupdf import Document

from bookreader.book import DEFAULT_LIMITS, Book, BookId, Limits
from bookreader.errors import BadFile
from bookreader.messages import message
from bookreader.pdf import page_artefacts
from bookreader.pdf.addresses import Edition, hung_below, joints_broken, sentences_of, speeches_of
from bookreader.pdf.chapters import OutlineEntry, Structure, contents_of, outline_of, structure_of
from bookreader.pdf.ebook import ebook_blocks, ebook_marks, ebook_text
from bookreader.pdf.flow import fixed_faces, flow_of, order_lines, parted_at_gutters
from bookreader.pdf.frame import body_size, frames_of, leaf_of
from bookreader.pdf.headings import find_headings
from bookreader.pdf.kinds import TextBlock, merge, part_captions, part_displays, part_labels, renumbered, text_blocks
from bookreader.pdf.labels import Labels, label_pages, labels_of_marks, number_paragraphs
from bookreader.pdf.model import EbookMarks, PdfPage
from bookreader.pdf.paragraphs import habits_of, with_initials
from bookreader.pdf.prose import vocabulary_of
from bookreader.pdf.read import is_covered, open_pdf, read_pages
from bookreader.report import report_on
from bookreader.source import version_of
from bookreader.text.language import is_language

MIN_LETTERS = 20
GARBAGE_SHARE = 0.5  # of the pages with text, above which a book is refused
MANY_NAMED = 10  # pages in a message

NO_TITLE = re.compile(  # a file's name, or a program's default title
    r"\.(?:docx?|tex|indd|pdf|qxd|dvi|rtf|odt|txt|md|html?|pptx?|epub)$|^(?:untitled|microsoft (?:word|powerpoint)|https?:)"
    r"|^\W*(?:anonymous|unspecified|unknown|no title|title|(?:document|layout|slide) ?\d*|powerpoint presentation)\W*$",
    re.IGNORECASE,
)
ScanReader = Callable[[Document, Sequence[PdfPage]], Sequence[PdfPage]]
"""Gives the pages of a document with the text of those that are pictures of text."""


@dataclass(frozen=True, slots=True)
class PdfContent:
    """What is read from a PDF: pages, outline, its own title and authors; of an e-book, the marks of its own files."""

    pages: tuple[PdfPage, ...]
    outline: tuple[OutlineEntry, ...]
    metadata: Mapping[str, str]
    marks: EbookMarks | None = None


@dataclass(frozen=True, slots=True)
class PdfLayout:
    """What the pages mean: labels, blocks in order, divisions, marks of each page's notes. printed: pages without artefacts."""

    labels: Labels
    blocks: tuple[TextBlock, ...]
    structure: Structure
    marks: Mapping[int, frozenset[str]]
    printed: tuple[PdfPage, ...] = ()


def parse_book(
    pdf: bytes,
    book: BookId,
    limits: Limits = DEFAULT_LIMITS,
    progress: Callable[[int, int], None] | None = None,
    scans: ScanReader | None = None,
) -> Book:
    """The book with all its sentences. progress(done, total) counts pages. scans: reads pages that are pictures of text.

    Raises BadFile: see `open_pdf`, and no_text, no_language, too_many_words."""
    with open_pdf(pdf, limits) as document:
        found = read_pages(document, progress)
        read, outline = scans(document, found) if scans else found, tuple(outline_of(document))
        marks = ebook_marks(document)
        pages = read if marks else without_garbage(read)
        source = PdfContent(tuple(pages), outline, document.metadata or {}, marks)
        refuse_without_text(document, source, recognizes=scans is not None)
    parsed = book_from(source, book, version_of(pdf))
    if garbage := [page.index + 1 for page, cleaned in zip(read, pages, strict=True) if page.lines and not cleaned.lines]:
        warning = message("pages_no_language", count=len(garbage), pages=tuple(map(str, garbage[:MANY_NAMED])))
        parsed = replace(parsed, report=replace(parsed.report, warnings=(warning, *parsed.report.warnings)))
    if not parsed.report.sentences:
        raise BadFile("no_text", "pdf_without_sentences")
    if (words := parsed.report.words) > limits.words:
        raise BadFile("too_many_words", "book_too_many_words", words=words, max_words=limits.words)
    return parsed


def book_from(source: PdfContent, book: BookId, version: str) -> Book:
    """The book made from pages as read."""
    sizes = {page.index: (page.width, page.height) for page in source.pages}
    layout = layout_of(source)
    to_display = {page.index: page.to_display for page in source.pages if page.to_display}
    labels, words = layout.labels, vocabulary_of(each.line for block in layout.blocks for each in block.lines)
    if source.marks:  # an e-book is set without breaking words
        words = replace(words, hyphenates=False, in_dictionary=True)
    marked = source.marks is not None
    hung = {} if marked else hung_below(layout.printed)
    edition = Edition(book, version, labels.of_page, words, layout.marks, to_display, sizes, labels.breaks, marked, hung)
    speeches = [(block, "") for block in layout.blocks] if marked else speeches_of(layout.blocks)
    broken = {} if marked else joints_broken([block for block, _ in speeches], layout.printed)
    found = list(sentences_of(speeches, edition, broken))
    sentences = tuple(each for each, _ in found)
    held = {block.chapter.index: block.chapter for block in layout.blocks if block.chapter.index >= 0}
    chapters = tuple(chapter for _, chapter in sorted(held.items()))  # that hold text
    # an e-book's pictures are no scans
    shown = source.pages if source.marks is None else tuple(replace(page, images=0) for page in source.pages)
    report = report_on(shown, found, chapters, labels, layout.structure)
    return Book(book, version, title_of(source.metadata), authors_of(source.metadata), chapters, sentences, report)


def layout_of(source: PdfContent) -> PdfLayout:
    """The steps from lines on pages to blocks in order: page artefacts go first, then the reading order, then the parts of the
    text. The files of an e-book say most of it."""
    read = page_artefacts.without_licence(source.pages)
    if source.marks and (ebook := ebook_text(read, source.marks, source.outline)):
        calls = {page.index: source.marks.calls for page in source.pages}
        labels = labels_of_marks(source.marks.pages, len(source.pages))
        return PdfLayout(labels, tuple(renumbered(list(ebook_blocks(ebook)))), ebook.structure, calls)
    size = body_size(source.pages)
    pages = [with_initials(page, size) for page in read]
    frames = frames_of(pages)
    pages = parted_at_gutters(pages, frames)
    cleaned = page_artefacts.remove_artefacts(pages, frames)
    without_margins = [page_artefacts.without_margins(page, frames[leaf_of(page)]) for page in cleaned]
    noted = page_artefacts.part_notes(without_margins, frames)
    fixed = fixed_faces(noted)
    text = [page_artefacts.without_lettering(page_artefacts.without_tables(page), fixed) for page in noted]
    flow = flow_of(text, order_lines(text, frames, fixed), frames)
    numbered = number_paragraphs([each for each in flow if not each.is_apart], text)
    displayed = part_displays(part_labels(numbered), fixed)
    captioned = part_captions(displayed.text)
    headings = find_headings(captioned.text)
    labels = label_pages(cleaned) if source.marks is None else labels_of_marks(source.marks.pages, len(cleaned))
    contents = contents_of(captioned.text, headings, len(text), labels.of_page)
    structure = structure_of(captioned.text, headings, source.outline, contents)
    paragraphs = text_blocks(captioned.text, structure, contents, habits_of(captioned.text))
    apart = [*(each for each in flow if each.is_apart), *displayed.apart, *captioned.apart]
    blocks = merge(paragraphs, apart, captioned.text, structure)
    marks = {page.index: page.marks for page in text}
    return PdfLayout(labels, tuple(renumbered(blocks)), structure, marks, tuple(page_artefacts.with_doubtful(cleaned)))


def without_garbage(pages: Sequence[PdfPage]) -> Sequence[PdfPage]:
    """The pages, those without their lines whose text is in no language, as broken fonts give it.

    Raises BadFile: no_language if most pages with text are such."""
    texts = {page.index: " ".join(token.text for line in page.lines for token in line.tokens) for page in pages}
    garbage = {index for index, text in texts.items() if not is_language(text)}
    if len(garbage) > GARBAGE_SHARE * sum(bool(page.lines) for page in pages):
        raise BadFile("no_language", "pdf_no_language", count=len(garbage), pages=len(pages))
    return [page.with_lines(()) if page.index in garbage else page for page in pages] if garbage else pages


def refuse_without_text(document: Document, read: PdfContent, *, recognizes: bool) -> None:
    """Raises BadFile: no_text. recognizes: whether pictures of text were looked for, and read."""
    letters = sum(len(token.text) for page in read.pages for line in page.lines for token in line.tokens)
    if letters >= MIN_LETTERS:
        return
    if read.marks is not None:
        raise BadFile("no_text", "epub_without_text")
    if any(page.recognized for page in read.pages):
        raise BadFile("no_text", "pdf_not_recognized")
    scanned = not recognizes and any(is_covered(document[page.index]) for page in read.pages)
    raise BadFile("no_text", "pdf_without_text" if scanned else "pdf_blank")


def title_of(metadata: Mapping[str, str]) -> str:
    """The PDF's own title; empty if it has none, or only a file's name or a program's default."""
    title = " ".join((metadata.get("title") or "").split())
    return "" if NO_TITLE.search(title) else title


def authors_of(metadata: Mapping[str, str]) -> tuple[str, ...]:
    """The names in the PDF's author field, separated at semicolons, ampersands and "and"."""
    names = re.split(r"\s*;\s*|\s+&\s+|\s+and\s+", metadata.get("author") or "")
    return tuple(name.strip() for name in names if name.strip())
