"""Ways to cut a book, each under a name that holds its figures.

Paragraphs (S3), sections (S4) and passages (S5): chunks whose length is counted in the embedding model's own tokens.

Windows of so many characters (S2-1: 500, of which 50 are in the window before, too)."""

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate, chain, groupby

from chapterverse.core.book import Book, Chunk, ChunkId, Sentence
from chapterverse.core.hits import Granularity
from chapterverse.library.text.pieces import (
    ChunkPiece,
    Count,
    TokenBounds,
    body,
    common_headings,
    counted,
    pack,
    pieces_of,
    sentences_in,
    text_of,
)

MakeChunks = Callable[[Book], Iterable[Chunk]]

"""A book's chunks with their ids. It may ask a model for numbers of tokens, nothing else."""


@dataclass(frozen=True, slots=True)
class Chunker:
    """A chunker and the name of its unit: chunkers of one unit make the same chunks."""

    unit: str
    make_chunks: MakeChunks

    def __call__(self, book: Book) -> list[Chunk]:
        """The book's chunks in reading order; none for a book without sentences."""
        return list(self.make_chunks(book))


def unit_name(granularity: Granularity, *figures: int) -> str:
    """Such as "window-500-50"."""
    return "-".join([granularity.value, *map(str, figures)])


def chunk_id(book: Book, unit: str, number: int) -> ChunkId:
    """The same bytes cut in the same way give the same ids."""
    return ChunkId(f"{book.version}-{unit}-{number:05d}")


def chunks_of(blocks: Iterable[Sequence[ChunkPiece]], book: Book, unit: str) -> list[Chunk]:
    """Each block of pieces a chunk."""
    return [
        Chunk(chunk_id(book, unit, number), text_of(block), sentences_in(block), common_headings(block))
        for number, block in enumerate(blocks)
    ]


def _each_alone(book: Book) -> list[Chunk]:
    return [Chunk(ChunkId(sentence.id), sentence.text, (sentence.id,)) for sentence in body(book)]


SENTENCES = Chunker(unit_name(Granularity.SENTENCE), _each_alone)

"""S1: a sentence a chunk, under its own id."""

ENTRIES = "entries"

"""What a report says the chapters of a book were made from (chapter_source) where each is an FAQ entry or a resolved ticket:
its title the question, its sentences the answer."""

HEADINGS = 3  # of a section: its chapter's, which on a page is the first (H1), and H2 and H3


def sections(count: Count, least: int = 500, most: int = 1500, overlap: int = 200) -> Chunker:
    """What stands below a heading H2 or H3; a longer one in parts that overlap (S4-1, S4-2)."""
    unit = unit_name(Granularity.SECTION, least, most, overlap)
    return Chunker(unit, _packer(unit, count, TokenBounds(least, most, overlap), lambda piece: piece.headings[:HEADINGS]))


def passages(count: Count, least: int = 256, most: int = 512, overlap: int = 50) -> Chunker:
    """Whole paragraphs, or parts of them, each overlapping the passage before; an entry is one (S5-4, S5-5)."""
    unit = unit_name(Granularity.PASSAGE, least, most, overlap)
    bounds = TokenBounds(least, most, overlap, always_overlaps=True)
    pack_paragraphs = _packer(unit, count, bounds, lambda piece: piece.paragraph)

    def cut(book: Book) -> list[Chunk]:
        return list(_entries(book, unit)) if book.report.chapter_source == ENTRIES else pack_paragraphs(book)

    return Chunker(unit, cut)


def paragraphs(count: Count, least: int = 24, most: int = 254) -> Chunker:
    """Each paragraph without the heading above it, which the chunk names beside (S3). One shorter than `least`, such as a line
    or a formula, is joined with the next one of its section, the last with the one before; one longer than `most` is parted
    between its sentences."""
    unit, bounds = unit_name(Granularity.PARAGRAPH, least, most), TokenBounds(least, most, overlap=0)

    def cut(book: Book) -> list[Chunk]:
        pieces = counted((piece for piece in pieces_of(book) if not piece.is_heading), count, most)
        by_section = groupby(pieces, key=lambda piece: (piece.chapter, piece.headings))
        blocks = (pack(section, bounds, lambda piece: piece.paragraph) for _, section in by_section)
        return chunks_of(chain.from_iterable(blocks), book, unit)

    return Chunker(unit, cut)


def _packer(
    unit: str, count: Count, bounds: TokenBounds, group: Callable[[ChunkPiece], Hashable]
) -> Callable[[Book], list[Chunk]]:
    def cut(book: Book) -> list[Chunk]:
        pieces = counted(pieces_of(book), count, bounds.most - bounds.overlap)
        return chunks_of(pack(pieces, bounds, group), book, unit)

    return cut


def _entries(book: Book, unit: str) -> Iterator[Chunk]:
    """One for each chapter, undivided: the embedder takes texts of any length."""
    answers: dict[str, list[Sentence]] = {}
    for sentence in body(book):
        answers.setdefault(f"{sentence.address.chapter.index}", []).append(sentence)
    for number, answer in enumerate(answers.values()):
        question = answer[0].address.chapter.title or ""
        text = f"Question: {question}\nAnswer: {' '.join(sentence.text for sentence in answer)}"
        yield Chunk(chunk_id(book, unit, number), text, tuple(sentence.id for sentence in answer), (question,), question)


def windows(characters: int = 500, overlap: int = 50) -> Chunker:
    """Windows over the whole book, headings too, cut between words; a word longer than a window is parted.

    The seed cuts wherever its count ends, "mid-way" as it says itself. 0 <= overlap < characters."""
    unit = unit_name(Granularity.WINDOW, characters, overlap)

    def cut(book: Book) -> list[Chunk]:
        layout = JoinedPieces.of(pieces_of(book))
        return [layout.chunk(span, chunk_id(book, unit, n)) for n, span in enumerate(spans(layout.text, characters, overlap))]

    return Chunker(unit, cut)


@dataclass(frozen=True, slots=True)
class JoinedPieces:
    """Pieces as one text, and where each begins and ends there."""

    text: str
    pieces: Sequence[ChunkPiece]
    begins: Sequence[int]
    ends: Sequence[int]

    @classmethod
    def of(cls, pieces: Iterable[ChunkPiece]) -> "JoinedPieces":
        """In the order given."""
        given = list(pieces)
        ends = list(accumulate(len(piece.before) + len(piece.text) for piece in given))
        begins = [end - len(piece.text) for piece, end in zip(given, ends, strict=True)]
        return cls("".join(piece.before + piece.text for piece in given), given, begins, ends)

    def chunk(self, span: tuple[int, int], id: ChunkId) -> Chunk:
        """What stands there."""
        start, end = span
        inside = self.pieces[bisect_right(self.ends, start) : bisect_left(self.begins, end)]
        return Chunk(id, self.text[start:end], sentences_in(inside), common_headings(inside))


def spans(text: str, size: int, overlap: int) -> list[tuple[int, int]]:
    """[start, end) of each window: at most `size` characters, no blank at its edges, and at most `overlap` of them, whole
    words, in the one before it, too."""
    found: list[tuple[int, int]] = []
    start = _next_word(text, 0)
    while start < len(text):
        end = _end(text, start, size)
        found.append((start, end))
        start = _next_word(text, end)
        if start < len(text):
            earlier = _word_within(text, found[-1], overlap)
            start = earlier if earlier < end < _end(text, earlier, size) else start  # or it would add nothing
    return found


def _end(text: str, start: int, size: int) -> int:
    """After the last word that is whole within the window."""
    if start + size >= len(text):
        return start + len(text[start:].rstrip())
    inside = text[start : start + size + 1]  # with one more: a blank there ends the last word
    blanks = [place for place, character in enumerate(inside) if character.isspace()]
    if not blanks:
        return start + size
    return start + len(inside[: blanks[-1]].rstrip())


def _word_within(text: str, span: tuple[int, int], overlap: int) -> int:
    """Where the first word begins among the last `overlap` characters of the span; its end where none does."""
    start, end = span
    places = range(max(start + 1, end - overlap), end)
    return next((place for place in places if text[place - 1].isspace() and not text[place].isspace()), end)


def _next_word(text: str, place: int) -> int:
    while place < len(text) and text[place].isspace():
        place += 1
    return place
