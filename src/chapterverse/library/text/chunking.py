"""Chunkers: ways to divide a book into chunks, each with a unit name that holds its parameters.

Paragraphs (S3), sections (S4) and passages (S5) are measured in the embedding model's tokens; windows (S2-1: 500 with an
overlap of 50) in characters."""

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate, chain, groupby

from chapterverse.core.book import Book, Chunk, ChunkId, Sentence
from chapterverse.core.hits import Granularity
from chapterverse.library.text.pieces import (
    CITABLE,
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
    """A chunker and the name of its unit: chunkers with the same unit make the same chunks."""

    unit: str
    make_chunks: MakeChunks

    def __call__(self, book: Book) -> list[Chunk]:
        """The book's chunks in reading order; none for a book without sentences."""
        return list(self.make_chunks(book))


def unit_name(granularity: Granularity, *sizes: int) -> str:
    """A unit's name with its parameters, such as "window-500-50"."""
    return "-".join([granularity.value, *map(str, sizes)])


def chunk_id(book: Book, unit: str, number: int) -> ChunkId:
    """Id of a chunk: the same book and unit give the same ids."""
    return ChunkId(f"{book.version}-{unit}-{number:05d}")


def chunks_of(blocks: Iterable[Sequence[ChunkPiece]], book: Book, unit: str) -> list[Chunk]:
    """One chunk for each block of pieces."""
    return [
        Chunk(chunk_id(book, unit, number), text_of(block), sentences_in(block), common_headings(block))
        for number, block in enumerate(blocks)
    ]


def _each_alone(book: Book) -> list[Chunk]:
    return [Chunk(ChunkId(sentence.id), sentence.text, (sentence.id,)) for sentence in body(book)]


SENTENCES = Chunker(unit_name(Granularity.SENTENCE), _each_alone)
"""S1: each sentence is a chunk, with the sentence's id."""

ENTRIES = "entries"
"""What a report says the chapters of a book were made from (chapter_source) where each is an FAQ entry or a resolved ticket:
its title the question, its sentences the answer."""

HEADINGS = 3  # levels of a section: the chapter's (H1 of a page), H2 and H3


def sections(count: Count, min_tokens: int = 500, max_tokens: int = 1500, overlap: int = 200) -> Chunker:
    """Chunker by sections below headings H2 or H3; long sections are divided into overlapping parts (S4-1, S4-2)."""
    unit = unit_name(Granularity.SECTION, min_tokens, max_tokens, overlap)
    return Chunker(
        unit, _packer(unit, count, TokenBounds(min_tokens, max_tokens, overlap), lambda piece: piece.headings[:HEADINGS])
    )


def passages(count: Count, min_tokens: int = 256, max_tokens: int = 512, overlap: int = 50) -> Chunker:
    """Chunker by whole paragraphs or parts of them, each overlapping the one before; an entry is one chunk (S5-4, S5-5)."""
    unit = unit_name(Granularity.PASSAGE, min_tokens, max_tokens, overlap)
    bounds = TokenBounds(min_tokens, max_tokens, overlap, always_overlaps=True)
    pack_paragraphs = _packer(unit, count, bounds, lambda piece: piece.paragraph)

    def cut(book: Book) -> list[Chunk]:
        return list(_entries(book, unit)) if book.report.chapter_source == ENTRIES else pack_paragraphs(book)

    return Chunker(unit, cut)


def paragraphs(count: Count, min_tokens: int = 24, max_tokens: int = 254) -> Chunker:
    """Chunker by paragraphs without the heading, which the chunk has in its own field (S3).

    A paragraph shorter than min_tokens, such as a line or a formula, is joined with the next one of its section, the last with
    the one before. One longer than max_tokens is divided between sentences."""
    unit, bounds = unit_name(Granularity.PARAGRAPH, min_tokens, max_tokens), TokenBounds(min_tokens, max_tokens, overlap=0)

    def cut(book: Book) -> list[Chunk]:
        pieces = counted((piece for piece in pieces_of(book) if not piece.is_heading), count, max_tokens)
        by_section = groupby(pieces, key=lambda piece: (piece.chapter, piece.headings))
        blocks = (pack(section, bounds, lambda piece: piece.paragraph) for _, section in by_section)
        return chunks_of(chain.from_iterable(blocks), book, unit)

    return Chunker(unit, cut)


def _packer(
    unit: str, count: Count, bounds: TokenBounds, group: Callable[[ChunkPiece], Hashable]
) -> Callable[[Book], list[Chunk]]:
    def cut(book: Book) -> list[Chunk]:
        pieces = counted(pieces_of(book, CITABLE), count, bounds.max_tokens - bounds.overlap)
        return chunks_of(pack(pieces, bounds, group), book, unit)

    return cut


def _entries(book: Book, unit: str) -> Iterator[Chunk]:
    """One undivided chunk for each chapter: the embedder takes texts of any length."""
    answers: dict[str, list[Sentence]] = {}
    for sentence in body(book):
        answers.setdefault(f"{sentence.address.chapter.index}", []).append(sentence)
    for number, answer in enumerate(answers.values()):
        question = answer[0].address.chapter.title or ""
        text = f"Question: {question}\nAnswer: {' '.join(sentence.text for sentence in answer)}"
        yield Chunk(chunk_id(book, unit, number), text, tuple(sentence.id for sentence in answer), (question,), question)


def windows(characters: int = 500, overlap: int = 50) -> Chunker:
    """Chunker by windows over the whole book with its headings, cut between words; a word longer than a window is divided.

    S2 cuts wherever the count ends, "mid-way" as it says itself. 0 <= overlap < characters."""
    unit = unit_name(Granularity.WINDOW, characters, overlap)

    def cut(book: Book) -> list[Chunk]:
        layout = JoinedPieces.of(pieces_of(book, CITABLE))
        return [layout.chunk(span, chunk_id(book, unit, n)) for n, span in enumerate(spans(layout.text, characters, overlap))]

    return Chunker(unit, cut)


@dataclass(frozen=True, slots=True)
class JoinedPieces:
    """Pieces as one text, with the span of each."""

    text: str
    pieces: Sequence[ChunkPiece]
    begins: Sequence[int]
    ends: Sequence[int]

    @classmethod
    def of(cls, pieces: Iterable[ChunkPiece]) -> "JoinedPieces":
        """The pieces joined in the given order."""
        given = list(pieces)
        ends = list(accumulate(len(piece.before) + len(piece.text) for piece in given))
        begins = [end - len(piece.text) for piece, end in zip(given, ends, strict=True)]
        return cls("".join(piece.before + piece.text for piece in given), given, begins, ends)

    def chunk(self, span: tuple[int, int], id: ChunkId) -> Chunk:
        """The chunk of a span."""
        start, end = span
        inside = self.pieces[bisect_right(self.ends, start) : bisect_left(self.begins, end)]
        return Chunk(id, self.text[start:end], sentences_in(inside), common_headings(inside))


def spans(text: str, size: int, overlap: int) -> list[tuple[int, int]]:
    """[start, end) of each window.

    At most `size` characters, no blank at its edges, and whole words of at most `overlap` characters shared with the one
    before."""
    found: list[tuple[int, int]] = []
    start = _next_word(text, 0)
    while start < len(text):
        end = _end(text, start, size)
        found.append((start, end))
        start = _next_word(text, end)
        if start < len(text):
            earlier = _word_within(text, found[-1], overlap)
            start = earlier if earlier < end < _end(text, earlier, size) else start  # else it would add nothing
    return found


def _end(text: str, start: int, size: int) -> int:
    """The end of the last whole word within the window."""
    if start + size >= len(text):
        return start + len(text[start:].rstrip())
    inside = text[start : start + size + 1]  # one more character: a blank there ends the last word
    blanks = [place for place, character in enumerate(inside) if character.isspace()]
    if not blanks:
        return start + size
    return start + len(inside[: blanks[-1]].rstrip())


def _word_within(text: str, span: tuple[int, int], overlap: int) -> int:
    """The beginning of the first word among the last `overlap` characters of the span; the span's end if there is none."""
    start, end = span
    places = range(max(start + 1, end - overlap), end)
    return next((place for place in places if text[place - 1].isspace() and not text[place].isspace()), end)


def _next_word(text: str, place: int) -> int:
    while place < len(text) and text[place].isspace():
        place += 1
    return place
