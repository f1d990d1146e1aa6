"""Blocks of a PDF to sentences with addresses and ids."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from chapterverse.core.book import Address, BookId, Box, Kind, Place, Sentence, paragraph_id, sentence_id
from chapterverse.library.pdf.blocks import TextBlock
from chapterverse.library.pdf.headings import restore_opening
from chapterverse.library.pdf.model import Matrix, Token
from chapterverse.library.pdf.prose import Prose, prose_of
from chapterverse.library.pdf.words import Vocabulary
from chapterverse.library.text.sentences import split_sentences

LETTER = {Kind.SENTENCE: "p", Kind.FOOTNOTE: "n", Kind.SIDENOTE: "s", Kind.CAPTION: "c"}


@dataclass(frozen=True, slots=True)
class Edition:
    """What all addresses of one book share.

    labels: of every page. marks: the note marks of each page. to_display: for pages that are displayed rotated, the matrix to
    the displayed page. sizes: width and height of each displayed page, in points."""

    book: BookId
    version: str
    labels: Sequence[str]
    vocabulary: Vocabulary
    marks: Mapping[int, frozenset[str]]
    to_display: Mapping[int, Matrix] = field(default_factory=dict)
    sizes: Mapping[int, tuple[float, float]] = field(default_factory=dict)


def sentences_of(blocks: Iterable[TextBlock], edition: Edition) -> Iterator[Sentence]:
    """Every sentence in order; paragraphs, notes and captions of a chapter are counted separately."""
    counts: Counter[tuple[int, Kind]] = Counter()
    for block in blocks:
        number = counts[block.chapter.index, block.kind]
        sentences = list(sentences_in(block, number, edition))
        if sentences:
            counts[block.chapter.index, block.kind] += 1
            yield from sentences


def sentences_in(block: TextBlock, number: int, edition: Edition) -> Iterator[Sentence]:
    """The sentences of one block, linked to their neighbours in it."""
    prose = prose_of(block.lines, edition.vocabulary, edition.marks, opening_of(block, edition))
    spans = split_sentences(prose.text)
    paragraph = paragraph_id(edition.version, block.chapter.index + 1, number, LETTER[block.kind])
    ids = [None, *(sentence_id(paragraph, i) for i in range(len(spans))), None]
    for i, span in enumerate(spans):
        address = address_of(block, prose, span, (paragraph, number, i), edition)
        here = ids[i + 1]
        assert here is not None  # noqa: S101 - for the type checker: only the ends are None
        yield Sentence(here, prose.text[slice(*span)], block.kind, address, ids[i], ids[i + 2])


def opening_of(block: TextBlock, edition: Edition) -> Callable[[list[Token]], list[Token]] | None:
    """How to correct the first line of a block that opens a chapter or section."""
    return (lambda tokens: restore_opening(tokens, edition.vocabulary)) if block.opens else None


def address_of(
    block: TextBlock, prose: Prose, span: tuple[int, int], numbers: tuple[str, int, int], edition: Edition
) -> Address:
    """The address of characters `span` of the block's text."""
    paragraph_id, paragraph, sentence = numbers
    places = tuple(place_of(page, boxes, edition) for page, boxes in prose.pages(*span))
    return Address(
        edition.book, edition.version, block.chapter, block.section_path, paragraph_id, paragraph, sentence, span, places
    )


def place_of(page: int, boxes: Iterable[Box], edition: Edition) -> Place:
    """The boxes on one page as displayed."""
    within = (on_page(box, edition.sizes.get(page)) for box in boxes)
    return Place(page, edition.labels[page], tuple(as_displayed(box, edition.to_display.get(page)) for box in within))


def on_page(box: Box, size: tuple[float, float] | None) -> Box:
    """The part of the box that is on the page: a letter may cross its edge. MuPDF leaves out what is entirely outside."""
    if size is None:
        return box
    width, height = size
    x0, x1 = (min(max(x, 0.0), width) for x in (box.x0, box.x1))
    y0, y1 = (min(max(y, 0.0), height) for y in (box.y0, box.y1))
    return Box(x0, y0, x1, y1)


def as_displayed(box: Box, matrix: Matrix | None) -> Box:
    """The box on the page as displayed."""
    if matrix is None:
        return box
    a, b, c, d, e, f = matrix
    xs = sorted(a * x + c * y + e for x, y in ((box.x0, box.y0), (box.x1, box.y1)))
    ys = sorted(b * x + d * y + f for x, y in ((box.x0, box.y0), (box.x1, box.y1)))
    return Box(round(xs[0], 2), round(ys[0], 2), round(xs[1], 2), round(ys[1], 2))
