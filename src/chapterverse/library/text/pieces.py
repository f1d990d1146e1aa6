"""A book as a sequence of pieces (headings and sentences), and packing pieces into blocks of a number of tokens."""

from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from chapterverse.core.book import LINED, Book, Kind, Sentence, SentenceId

Count = Callable[[Sequence[str]], list[int]]
"""Of each text, how many tokens the embedding model makes of it."""

BEFORE_HEADING, BEFORE_PARAGRAPH = "\n\n", "\n"

PROSE = frozenset({Kind.SENTENCE})
CITABLE = PROSE | {Kind.TABLE, Kind.CAPTION, Kind.FOOTNOTE, Kind.SIDENOTE}
"""Kinds of text that a question may be about: office hours and cutoffs stand in tables."""


@dataclass(frozen=True, slots=True)
class ChunkPiece:
    """A heading, a sentence, or a part of one.

    before: separator from the piece before in the same chunk. sentence: of a heading, the first one below it. headings:
    outermost first, beginning with the chapter's or the book's title. tokens: 0 until counted."""

    text: str
    before: str
    sentence: SentenceId
    headings: tuple[str, ...]
    chapter: int
    paragraph: str
    is_heading: bool = False
    tokens: int = 0


def body(book: Book, kinds: Collection[Kind] = PROSE) -> list[Sentence]:
    """The book's sentences of these kinds, in reading order."""
    return [sentence for sentence in book.sentences if sentence.kind in kinds]


def headings_of(sentence: Sentence, book: Book) -> tuple[str, ...]:
    """The headings above a sentence. Text outside chapters stands below the book's title."""
    name = sentence.address.chapter.name or book.title
    return (name, *sentence.address.section_path) if name else sentence.address.section_path


def pieces_of(book: Book, kinds: Collection[Kind] = PROSE) -> Iterator[ChunkPiece]:
    """All pieces of these kinds in reading order, each heading before its text."""
    last: ChunkPiece | None = None
    end = 0
    for sentence in body(book, kinds):
        address = sentence.address
        first = ChunkPiece(
            text=sentence.text,
            before=BEFORE_PARAGRAPH,
            sentence=sentence.id,
            headings=headings_of(sentence, book),
            chapter=address.chapter.index,
            paragraph=address.paragraph_id,
        )
        yield from _headings_above(first, last)
        goes_on = last is not None and last.paragraph == first.paragraph
        between = BEFORE_PARAGRAPH if sentence.kind in LINED else " " * min(1, address.span[0] - end)
        last = replace(first, before=between) if goes_on else first
        end = address.span[1]
        yield last


def _headings_above(piece: ChunkPiece, last: ChunkPiece | None) -> Iterator[ChunkPiece]:
    """The headings that are new since the piece before."""
    known = last.headings if last and last.chapter == piece.chapter else ()
    shared = next((i for i, pair in enumerate(zip(known, piece.headings, strict=False)) if pair[0] != pair[1]), len(known))
    for heading in piece.headings[shared:]:
        yield replace(piece, text=heading, before=BEFORE_HEADING, is_heading=True)


def counted(pieces: Iterable[ChunkPiece], count: Count, max_tokens: int) -> list[ChunkPiece]:
    """The pieces with their number of tokens; a longer piece is divided into parts of at most max_tokens."""
    whole = list(pieces)
    tokens = count([piece.text for piece in whole])
    return [
        part
        for piece, number in zip(whole, tokens, strict=True)
        for part in ([replace(piece, tokens=number)] if number <= max_tokens else _parts(piece, count, max_tokens))
    ]


def _parts(piece: ChunkPiece, count: Count, max_tokens: int) -> list[ChunkPiece]:
    """The piece halved until each part is short enough, between words if there are any."""
    [tokens] = count([piece.text])
    if tokens <= max_tokens or len(piece.text) == 1:
        return [replace(piece, tokens=tokens)]
    middle = len(piece.text) // 2
    blank = max(piece.text.rfind(" ", 1, middle + 1), 0) or max(piece.text.find(" ", middle, -1), 0)
    left, right = (piece.text[:blank], piece.text[blank + 1 :]) if blank else (piece.text[:middle], piece.text[middle:])
    second = replace(piece, text=right, before=" " if blank else "")
    return [*_parts(replace(piece, text=left), count, max_tokens), *_parts(second, count, max_tokens)]


def text_of(pieces: Sequence[ChunkPiece]) -> str:
    """The text of the pieces as it is read."""
    return "".join(piece.before + piece.text for piece in pieces).removeprefix(pieces[0].before)


def sentences_in(pieces: Iterable[ChunkPiece]) -> tuple[SentenceId, ...]:
    """Ids of the sentences of the pieces; if there are only headings, of the text below them."""
    given = list(pieces)
    return tuple(dict.fromkeys(piece.sentence for piece in [p for p in given if not p.is_heading] or given))


def common_headings(pieces: Sequence[ChunkPiece]) -> tuple[str, ...]:
    """The headings above all of the pieces."""
    shared = pieces[0].headings
    for piece in pieces[1:]:
        same = [a == b for a, b in zip(shared, piece.headings, strict=False)]
        shared = shared[: same.index(False) if False in same else len(same)]
    return shared


Block = list[ChunkPiece]


@dataclass(frozen=True, slots=True)
class TokenBounds:
    """Bounds of a block in tokens: minimum (if the chapter has as much), maximum, and overlap with the block before.

    always_overlaps: each block of a chapter overlaps the one before it, not only the parts of a group that is too long."""

    min_tokens: int
    max_tokens: int
    overlap: int
    always_overlaps: bool = False

    @property
    def room(self) -> int:
        """Maximum tokens of a block before the overlap is added."""
        return self.max_tokens - self.overlap if self.always_overlaps else self.max_tokens


def pack(pieces: Iterable[ChunkPiece], bounds: TokenBounds, group: Callable[[ChunkPiece], Hashable]) -> list[Block]:
    """Blocks of pieces. Pieces of one group stay together if they fit.

    pieces: in reading order, none longer than max_tokens - overlap. Groups that are too short are joined with those after them
    in the chapter; groups that are too long are divided into parts of about the same length."""
    groups = [list(together) for _, together in groupby(pieces, key=lambda piece: (piece.chapter, group(piece)))]
    packed: list[Block] = []
    for block in _without_stumps(_joined(groups, bounds), bounds):
        parts = _parted(block, bounds)
        before = packed[-1] if packed and bounds.always_overlaps and _chapter(packed[-1]) == _chapter(block) else None
        befores: list[Block | None] = [before, *parts]
        packed += [_overlapped(part, other, bounds.overlap) for other, part in zip(befores, parts, strict=False)]
    return packed


def size_of(block: Iterable[ChunkPiece]) -> int:
    """Number of tokens of the pieces."""
    return sum(piece.tokens for piece in block)


def _joined(groups: Iterable[Block], bounds: TokenBounds) -> list[Block]:
    blocks: list[Block] = []
    for group in groups:
        if blocks and size_of(blocks[-1]) < bounds.min_tokens and _fit(blocks[-1], group, bounds):
            blocks[-1] = blocks[-1] + group
        else:
            blocks.append(group)
    return blocks


def _without_stumps(blocks: Iterable[Block], bounds: TokenBounds) -> list[Block]:
    """The blocks; one that is too short is joined with the block before."""
    merged: list[Block] = []
    for block in blocks:
        if merged and size_of(block) < bounds.min_tokens and _fit(merged[-1], block, bounds):
            merged[-1] = merged[-1] + block
        else:
            merged.append(block)
    return merged


def _fit(one: Block, other: Block, bounds: TokenBounds) -> bool:
    return _chapter(one) == _chapter(other) and size_of(one) + size_of(other) <= bounds.room


def _chapter(block: Block) -> int:
    return block[0].chapter


def _parted(block: Block, bounds: TokenBounds) -> list[Block]:
    """The block divided into parts that fit; the block itself if it fits."""
    if size_of(block) <= bounds.room:
        return [block]
    room = bounds.max_tokens - bounds.overlap
    wanted = size_of(block) / -(-size_of(block) // room)
    parts: list[Block] = [[]]
    for piece in block:
        if parts[-1] and (size_of(parts[-1]) + piece.tokens / 2 > wanted or size_of(parts[-1]) + piece.tokens > room):
            parts.append([])
        parts[-1].append(piece)
    return parts


def _overlapped(block: Block, before: Sequence[ChunkPiece] | None, overlap: int) -> Block:
    """The block after as many last pieces of the block before as have at most `overlap` tokens."""
    shared: Block = []
    for piece in reversed(before or ()):
        if size_of(shared) + piece.tokens > overlap:
            break
        shared.insert(0, piece)
    return shared + block
