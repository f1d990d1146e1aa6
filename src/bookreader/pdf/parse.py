"""The pipeline of this package: a PDF's bytes to a Book of addressed sentences, with its report. Every step but the first is
pure."""

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import astuple, dataclass, replace
from itertools import groupby, pairwise

from pymupdf import Document

from bookreader.book import DEFAULT_LIMITS, Book, BookId, Chapter, Kind, Limits, Oddities, OddPage, QualityReport, Sentence
from bookreader.errors import BadFile
from bookreader.messages import Message, message
from bookreader.pdf.addresses import Doubt, Edition, sentences_of, speeches_of
from bookreader.pdf.blocks import TextBlock, extras_of, merge, part_captions, renumbered, text_blocks
from bookreader.pdf.chapters import Structure, structure_of
from bookreader.pdf.displays.artwork import part_artwork
from bookreader.pdf.displays.contents import contents_of
from bookreader.pdf.displays.names import part_labels
from bookreader.pdf.ebook import EbookText, ebook_blocks, ebook_marks, ebook_text
from bookreader.pdf.flow import fixed_faces, flow_of, order_lines
from bookreader.pdf.frame import body_size, frames_of, part_margins
from bookreader.pdf.headings import find_headings
from bookreader.pdf.kinds import part_displays
from bookreader.pdf.labels import Labels, label_pages, labels_of_marks, number_paragraphs
from bookreader.pdf.model import EbookMarks, Line, PdfPage
from bookreader.pdf.neighbours import joints_broken
from bookreader.pdf.notes import part_notes
from bookreader.pdf.page_artefacts import remove_artefacts, without_licence
from bookreader.pdf.paragraphs import habits_of, set_initials
from bookreader.pdf.read import OutlineEntry, open_pdf, outline_of, read_pages
from bookreader.pdf.words import frequency, vocabulary_of
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
    """What the pages mean: their labels, all blocks in reading order, the divisions, the lines of the running text, and the
    marks of the notes on each page. printed: the pages without page artefacts."""

    labels: Labels
    blocks: tuple[TextBlock, ...]
    structure: Structure
    lines: tuple[Line, ...]
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
    refuse_without_text(source.pages, recognizes=scans is not None, ebook=source.marks is not None)
    parsed = book_from(source, book, version_of(pdf))
    if garbage := [page.index + 1 for page, cleaned in zip(read, pages, strict=True) if page.lines and not cleaned.lines]:
        warning = message("pages_no_language", count=len(garbage), pages=tuple(map(str, garbage[:MANY_NAMED])))
        parsed = replace(parsed, report=replace(parsed.report, warnings=(warning, *parsed.report.warnings)))
    refuse_without_sentences(parsed.report.sentences)
    refuse_too_long(parsed.report.words, limits)
    return parsed


def book_from(source: PdfContent, book: BookId, version: str) -> Book:
    """The book made from pages as read."""
    sizes = {page.index: (page.width, page.height) for page in source.pages}
    layout = layout_of(source)
    to_display = {page.index: page.to_display for page in source.pages if page.to_display}
    labels, words = layout.labels, vocabulary_of(layout.lines)
    if source.marks:  # an e-book is set without breaking words
        words = replace(words, breaking=frozenset(), hyphenates=False)
    marked = source.marks is not None
    edition = Edition(book, version, labels.of_page, words, layout.marks, to_display, sizes, labels.breaks, marked)
    speeches = [(block, "") for block in layout.blocks] if marked else speeches_of(layout.blocks)
    broken = {} if marked else joints_broken([block for block, _ in speeches], layout.printed)
    found = list(sentences_of(speeches, edition, broken))
    sentences = tuple(each for each, _ in found)
    doubts = Counter(doubt for each, doubt in found if each.kind is Kind.SENTENCE and doubt)
    chapters = chapters_of(layout.blocks)
    shown = source.pages if source.marks is None else tuple(replace(page, images=0) for page in source.pages)
    report = report_on(shown, sentences, doubts, len(chapters), layout)  # an e-book's pictures are no scans
    return Book(book, version, title_of(source.metadata), authors_of(source.metadata), chapters, sentences, report)


def layout_of(source: PdfContent) -> PdfLayout:
    """The steps from lines on pages to blocks in order: page artefacts go first, then the reading order, then the parts of the
    text. The files of an e-book say most of it."""
    whole = without_licence(source.pages)
    if source.marks and (ebook := ebook_text(whole, source.marks)):
        return layout_of_ebook(whole, source.marks, ebook)
    pages = set_initials(whole, body_size(source.pages))
    frames = frames_of(pages)
    cleaned = remove_artefacts(pages, frames)
    noted = part_notes(part_margins(cleaned, frames), frames)
    fixed = fixed_faces(noted)
    text = part_artwork(noted, frames, fixed)
    ordered = order_lines(text, frames, fixed)
    flow = part_labels(number_paragraphs(flow_of(text, [each.lines for each in ordered], frames), text))
    displayed = part_displays(flow, fixed)
    captioned = part_captions(displayed.flow)
    headings = find_headings(captioned.flow)
    contents = contents_of(captioned.flow, headings, len(text))
    structure = structure_of(captioned.flow, headings, source.outline, contents)
    paragraphs = text_blocks(captioned.flow, structure, contents, habits_of(captioned.flow))
    extras = extras_of(text, captioned, displayed.displays, ordered)
    blocks = merge(paragraphs, extras, flow, captioned.flow, structure)
    lines = tuple(line for page in text for line in page.lines)
    labels = label_pages(cleaned) if source.marks is None else labels_of_marks(source.marks.pages, len(cleaned))
    marks = {page.index: page.marks for page in text}
    return PdfLayout(labels, tuple(renumbered(blocks)), structure, lines, marks, tuple(cleaned))


def layout_of_ebook(pages: Sequence[PdfPage], marks: EbookMarks, text: EbookText) -> PdfLayout:
    """The layout that an e-book's own files describe."""
    lines = tuple(each.line for each in text.flow)
    calls = {page.index: marks.calls for page in pages}
    labels = labels_of_marks(marks.pages, len(pages))
    return PdfLayout(labels, tuple(renumbered(list(ebook_blocks(text)))), text.structure, lines, calls)


def chapters_of(blocks: Sequence[TextBlock]) -> tuple[Chapter, ...]:
    """The chapters that hold text, in order."""
    found = {block.chapter.index: block.chapter for block in blocks if block.chapter.index >= 0}
    return tuple(found[index] for index in sorted(found))


def without_garbage(pages: Sequence[PdfPage]) -> Sequence[PdfPage]:
    """The pages, those without their lines whose text is in no language, as broken fonts give it.

    Raises BadFile: no_language if most pages with text are such."""
    garbage = {page.index for page in pages if not is_language(text_of(page), frequency)}
    if len(garbage) > GARBAGE_SHARE * sum(bool(page.lines) for page in pages):
        raise BadFile("no_language", "pdf_no_language", count=len(garbage), pages=len(pages))
    return [page.with_lines(()) if page.index in garbage else page for page in pages] if garbage else pages


def text_of(page: PdfPage) -> str:
    """The words of a page, in any order."""
    return " ".join(token.text for line in page.lines for token in line.tokens)


def refuse_without_text(pages: Sequence[PdfPage], *, recognizes: bool, ebook: bool) -> None:
    """Raises BadFile: no_text. recognizes: whether pictures of text were looked for, and read."""
    letters = sum(len(token.text) for page in pages for line in page.lines for token in line.tokens)
    if letters >= MIN_LETTERS:
        return
    if ebook:
        raise BadFile("no_text", "epub_without_text")
    if recognizes:
        raise BadFile("no_text", "pdf_not_recognized" if any(page.recognized for page in pages) else "pdf_blank")
    seen = message("only_pictures" if any(page.images for page in pages) else "hardly_a_word")
    raise BadFile("no_text", "pdf_without_text", seen=seen)


def refuse_without_sentences(sentences: int) -> None:
    """Raises BadFile: no_text."""
    if not sentences:
        raise BadFile("no_text", "pdf_without_sentences")


def refuse_too_long(words: int, limits: Limits) -> None:
    """Raises BadFile: too_many_words."""
    if words > limits.words:
        raise BadFile("too_many_words", "book_too_many_words", words=words, max_words=limits.words)


GUTENBERG = re.compile(
    r"^(?:the\s+)?project\s+gutenberg(?:['’]s)?\s*(?:e-?(?:book|text)\s*)?(?:(?:#|no\.?)\s*\d+)?\s*(?:of\b|[:,]|\bpresents\b)?\s*",
    re.IGNORECASE,
)
BY = re.compile(r",?\s+by\s+(?P<authors>[A-Z][^,]*)$")


def title_of(metadata: Mapping[str, str]) -> str:
    """The PDF's own title, without Project Gutenberg's words before it; empty if it has none, or only a file's name or a
    program's default."""
    given = " ".join((metadata.get("title") or "").split())
    title = GUTENBERG.sub("", given)
    if title != given:
        title = BY.sub("", title).rstrip(" .")
    return "" if NO_TITLE.search(title) else title


def authors_of(metadata: Mapping[str, str]) -> tuple[str, ...]:
    """The names in the PDF's author field, separated at semicolons, ampersands and "and"; else those that Project Gutenberg
    names in the title ("The Project Gutenberg EBook of Emma, by Jane Austen")."""
    title = metadata.get("title") or ""
    by = BY.search(title) if GUTENBERG.match(title) else None
    given = metadata.get("author") or ""
    field = (by["authors"] if by else "") if not given or GUTENBERG.match(given) else given
    names = re.split(r"\s*;\s*|\s+&\s+|\s+and\s+", field)
    return tuple(name.strip() for name in names if name.strip())


MUCH_OUTSIDE = 0.25
UNREADABLE = "\ufffd"
MUCH_UNREADABLE = 0.01
MUCH_NOT_PROSE = 0.15  # of the words
NAMED_SHARE = 0.1  # of what is no prose: a kind with less is not named
MANY = 3  # odd sentences of one kind that a teacher is told of …
LOWER_SHARE, NUMBER_SHARE = 0.003, 0.02  # … if they are such a share of all
OUTLINE_SHARE = 0.1  # of the outline's entries: so many are not printed where it says
MAX_ODD_PAGES = 50  # in a report
WORST = 3  # pages that a teacher is shown
MIN_ODD = Oddities(lower_case=1)  # a page is shown if it is as odd as with this
PROSE_KINDS = (Kind.SENTENCE, Kind.FOOTNOTE, Kind.SIDENOTE, Kind.CAPTION)  # text that a book of prose has
NAMES_OF_KINDS: Mapping[Kind, Message] = {
    Kind.CODE: message("kind_code"),
    Kind.CONTENTS: message("kind_contents"),
    Kind.FORMULA: message("kind_formula"),
    Kind.INDEX: message("kind_index"),
    Kind.REFERENCE: message("kind_reference"),
    Kind.TABLE: message("kind_table"),
}
WEIGHTS = Oddities(
    lower_case=4, number=1, unreadable=8, garbled=4, unquotable=1
)  # how much one such sentence counts for a page
WORDS_SHARE = 0.6  # of a text's characters: letters and blanks; with fewer it is hardly made of words
SINGLE_SHARE = 0.5  # of a text's words: single characters; with more it is hardly made of words
FEW_SIGNS, FEW_WORDS = 12, 6  # shorter texts are not judged so


def report_on(
    pages: Sequence[PdfPage], sentences: Sequence[Sentence], doubts: Mapping[Doubt, int], chapters: int, layout: PdfLayout
) -> QualityReport:
    """The report of a parsed book. pages: as read, with everything on them. doubts: why sentences of prose are not quoted."""
    prose = [sentence for sentence in sentences if sentence.kind is Kind.SENTENCE]
    total = sum(len(token.text) for page in pages for line in page.lines for token in line.tokens)
    inside = sum(len(each.text.replace(" ", "")) for each in sentences)
    listed = numbered_items(prose)
    found = [(sentence, oddities_of(sentence, listed=i in listed)) for i, sentence in enumerate(prose)]
    labels, structure = layout.labels, layout.structure
    report = QualityReport(
        pages=len(pages),
        words=sum(len(each.text.split()) for each in prose),
        sentences=len(prose),
        chapters=chapters,
        chapter_source=structure.source,
        label_source=labels.source,
        outside_share=round(max(0.0, 1 - inside / total) if total else 0.0, 4),
        pages_without_text=tuple(page.index for page in pages if not page.lines),
        warnings=(),
        oddities=total_of(each for _, each in found),
        odd_pages=tuple(odd_pages_of(found)),
        kind_shares=kind_shares_of(sentences),
        printed_numbers=labels.printed,
        label_conflicts=labels.differing,
        outline_entries=structure.announced,
        outline_conflicts=structure.unprinted,
        recognized_pages=tuple(page.index for page in pages if page.recognized and page.lines),
    )
    scanned = [i for i in report.pages_without_text if pages[i].images]
    return replace(report, warnings=tuple(warnings_of(report, scanned, doubts, "".join(each.text for each in prose))))


ITEM = re.compile(r"[(\[]?(?P<number>\d{1,3}(?:[.)\]](?=\s)|(?:\.\d{1,3})+))")


def numbered_items(sentences: Sequence[Sentence]) -> set[int]:
    """The indices of the sentences whose numbers count on from one to the next ("1.", "2."), as those of exercises do."""
    numbers = [
        (i, [int(part) for part in re.findall(r"\d+", found["number"])])
        for i, sentence in enumerate(sentences)
        if (found := ITEM.match(sentence.text))
    ]
    follow = [(i, j) for (i, a), (j, b) in pairwise(numbers) if a[:-1] == b[:-1] and b[-1] == a[-1] + 1]
    return {i for pair in follow for i in pair}


def oddities_of(sentence: Sentence, *, listed: bool = False) -> Oddities:
    """What looks odd about one sentence: each number is 0 or 1. listed: its number is that of an item in a list."""
    text = sentence.text
    first = text.lstrip("“„«‘'\"([")[:1]
    signs, words = len(text), text.split()
    letters = sum(c.isalpha() or c == " " for c in text)
    single = sum(len(word) == 1 for word in words)
    odd_signs = signs >= FEW_SIGNS and letters < WORDS_SHARE * signs
    is_item = sentence.quotable and sentence.address.sentence == 0  # of a list; others that begin small are not quoted
    return Oddities(
        lower_case=first.islower() and not is_item,
        number=first.isdigit() and not listed,
        unreadable=UNREADABLE in text,
        garbled=odd_signs or (len(words) >= FEW_WORDS and single > SINGLE_SHARE * len(words)),
        unquotable=not sentence.quotable,
    )


def total_of(found: Iterable[Oddities]) -> Oddities:
    """The sum."""
    return Oddities(*(sum(column) for column in zip(*map(astuple, found), strict=True)))


def weight_of(oddities: Oddities) -> int:
    """How odd a page or a sentence is."""
    return sum(n * weight for n, weight in zip(astuple(oddities), astuple(WEIGHTS), strict=True))


def odd_pages_of(found: Sequence[tuple[Sentence, Oddities]]) -> list[OddPage]:
    """The pages on which odd sentences begin, worst first, at most MAX_ODD_PAGES."""
    by_page: dict[int, list[tuple[Sentence, Oddities]]] = defaultdict(list)
    for sentence, oddities in found:
        if weight_of(oddities):
            by_page[sentence.address.places[0].page_index].append((sentence, oddities))
    pages = [odd_page(own) for _, own in sorted(by_page.items())]
    return sorted(pages, key=lambda page: weight_of(page.oddities), reverse=True)[:MAX_ODD_PAGES]


def odd_page(found: Sequence[tuple[Sentence, Oddities]]) -> OddPage:
    """The page of odd sentences."""
    worst, _ = max(found, key=lambda pair: weight_of(pair[1]))
    place = worst.address.places[0]
    return OddPage(place.page_index, place.page_label, worst.id, total_of(oddities for _, oddities in found))


def kind_shares_of(sentences: Sequence[Sentence]) -> dict[Kind, float]:
    """Shares of the words of all kinds that the book has, largest first."""
    words: Counter[Kind] = Counter()
    for sentence in sentences:
        words[sentence.kind] += len(sentence.text.split())
    return {kind: round(n / words.total(), 4) for kind, n in words.most_common() if n}


def warnings_of(report: QualityReport, scanned: Sequence[int], doubts: Mapping[Doubt, int], text: str) -> Iterator[Message]:
    """Sentences for a teacher, most important first. scanned: indices of pages that are only pictures; text: of all prose."""
    for first, last in ranges(scanned):
        yield without_text(first, last)
    if report.recognized_pages:
        yield message("pages_recognized", count=len(report.recognized_pages), pages=report.pages)
    odd, many = report.oddities, max(MANY, LOWER_SHARE * report.sentences)
    if text.count(UNREADABLE) > MUCH_UNREADABLE * len(text):
        yield message("letters_unreadable")
    elif odd.unreadable:
        yield counted("some_letters_of_one_unreadable", "some_letters_unreadable", odd.unreadable)
    if report.chapter_source == "none":
        yield message("no_chapters_found")
    yield from conflicts_in(report)
    if odd.lower_case >= many:
        yield message("sentences_begin_in_lower_case", count=odd.lower_case)
    if odd.number >= max(MANY, NUMBER_SHARE * report.sentences):
        yield message("sentences_begin_with_a_number", count=odd.number)
    if odd.garbled >= many:
        yield message("sentences_hardly_words", count=odd.garbled)
    if causes := tuple(message(doubt.value, count=doubts[doubt]) for doubt in Doubt if doubts.get(doubt)):
        yield message("sentences_shown_as_pictures", causes=causes)
    other = {kind: share for kind, share in report.kind_shares.items() if kind not in PROSE_KINDS}
    if (total := sum(other.values())) > MUCH_NOT_PROSE:
        kinds = tuple(NAMES_OF_KINDS[kind] for kind, share in other.items() if share >= NAMED_SHARE * total)
        yield message("much_is_not_prose", percent=round(100 * total), kinds=kinds)
    if report.outside_share > MUCH_OUTSIDE:
        yield message("text_outside_paragraphs", percent=round(100 * report.outside_share))
    worst = [page for page in report.odd_pages[:WORST] if page.page_label and weight_of(page.oddities) >= weight_of(MIN_ODD)]
    if worst:
        yield message("look_at_pages", pages=tuple(page.page_label for page in worst))


def counted(one: str, many: str, count: int) -> Message:
    """The message of one sentence, or of several."""
    return message(one) if count == 1 else message(many, count=count)


def conflicts_in(report: QualityReport) -> Iterator[Message]:
    """Where what is printed and what the file says of itself are not the same."""
    pages, conflicts = report.printed_numbers, report.label_conflicts
    if conflicts and report.label_source == "folios":
        yield message("printed_numbers_win", count=conflicts, pages=pages)
    elif conflicts >= MANY:
        yield message("labels_win", count=conflicts, pages=pages)
    entries, missing = report.outline_entries, report.outline_conflicts
    if entries and report.chapter_source != "outline":
        yield message("outline_not_used", count=missing, entries=entries)
    elif missing >= MANY and missing > OUTLINE_SHARE * entries:
        yield message("outline_differs", count=missing, entries=entries)


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
