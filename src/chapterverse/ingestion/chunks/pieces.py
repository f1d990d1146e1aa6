"""A book as a row of pieces, headings among them, which every way of cutting it puts together anew."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from chapterverse.model import Book, Kind, Sentence, SentenceId

Count = Callable[[Sequence[str]], list[int]]
"""Of each text, how many tokens the embedding model makes of it."""

BEFORE_HEADING, BEFORE_PARAGRAPH = "\n\n", "\n"


@dataclass(frozen=True, slots=True)
class Piece:
    """A heading, a sentence, or a part of one. before: what parts it from the piece before it, where that stands in the same
    chunk. sentence: of a heading, the first one below it. headings: outermost first, the chapter's or the book's title among
    them. tokens: 0 until counted."""

    text: str
    before: str
    sentence: SentenceId
    headings: tuple[str, ...]
    chapter: int
    paragraph: str
    is_heading: bool = False
    tokens: int = 0


def body(book: Book) -> list[Sentence]:
    """Its sentences without footnotes, captions and side notes."""
    return [sentence for sentence in book.sentences if sentence.kind is Kind.SENTENCE]


def headings_of(sentence: Sentence, book: Book) -> tuple[str, ...]:
    """What it stands below. Text before the first chapter, or in a book without any, stands below the book's title."""
    name = sentence.address.chapter.name or book.title
    return (name, *sentence.address.section_path) if name else sentence.address.section_path


def pieces_of(book: Book) -> Iterator[Piece]:
    """All of the book's body in reading order, each heading before what stands below it."""
    last: Piece | None = None
    end = 0
    for sentence in body(book):
        address = sentence.address
        first = Piece(
            text=sentence.text,
            before=BEFORE_PARAGRAPH,
            sentence=sentence.id,
            headings=headings_of(sentence, book),
            chapter=address.chapter.index,
            paragraph=address.paragraph_id,
        )
        yield from _headings_above(first, last)
        goes_on = last is not None and last.paragraph == first.paragraph
        last = replace(first, before=" " * min(1, address.span[0] - end)) if goes_on else first
        end = address.span[1]
        yield last


def _headings_above(piece: Piece, last: Piece | None) -> Iterator[Piece]:
    """Those that the piece before does not stand below."""
    known = last.headings if last and last.chapter == piece.chapter else ()
    shared = next((i for i, pair in enumerate(zip(known, piece.headings, strict=False)) if pair[0] != pair[1]), len(known))
    for heading in piece.headings[shared:]:
        yield replace(piece, text=heading, before=BEFORE_HEADING, is_heading=True)


def counted(pieces: Iterable[Piece], count: Count, most: int) -> list[Piece]:
    """The pieces with their tokens; one of more than `most` in parts that have no more."""
    whole = list(pieces)
    tokens = count([piece.text for piece in whole])
    return [
        part
        for piece, number in zip(whole, tokens, strict=True)
        for part in ([replace(piece, tokens=number)] if number <= most else _parts(piece, count, most))
    ]


def _parts(piece: Piece, count: Count, most: int) -> list[Piece]:
    """Halves, and halves of them, parted between words where there are any."""
    [tokens] = count([piece.text])
    if tokens <= most or len(piece.text) == 1:
        return [replace(piece, tokens=tokens)]
    middle = len(piece.text) // 2
    blank = max(piece.text.rfind(" ", 1, middle + 1), 0) or max(piece.text.find(" ", middle, -1), 0)
    left, right = (piece.text[:blank], piece.text[blank + 1 :]) if blank else (piece.text[:middle], piece.text[middle:])
    second = replace(piece, text=right, before=" " if blank else "")
    return [*_parts(replace(piece, text=left), count, most), *_parts(second, count, most)]


def text_of(pieces: Sequence[Piece]) -> str:
    """As it is read."""
    return "".join(piece.before + piece.text for piece in pieces).removeprefix(pieces[0].before)


def sentences_in(pieces: Iterable[Piece]) -> tuple[SentenceId, ...]:
    """The sentences of the pieces; of headings alone, what stands below them."""
    given = list(pieces)
    return tuple(dict.fromkeys(piece.sentence for piece in [p for p in given if not p.is_heading] or given))


def common_headings(pieces: Sequence[Piece]) -> tuple[str, ...]:
    """Those that all the pieces stand below."""
    shared = pieces[0].headings
    for piece in pieces[1:]:
        same = [a == b for a, b in zip(shared, piece.headings, strict=False)]
        shared = shared[: same.index(False) if False in same else len(same)]
    return shared
