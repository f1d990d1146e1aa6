"""Ways to cut a book, each under a name that holds its figures."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from chapterverse.ingestion.chunks.pieces import Piece, body, common_headings, sentences_in, text_of
from chapterverse.model import Book, Chunk, ChunkId, Granularity

Chunker = Callable[[Book], Iterable[Chunk]]
"""Pure, but that it may ask a model how many tokens texts have. The chunks' ids are given by the cutter."""


@dataclass(frozen=True, slots=True)
class Cutter:
    """A chunker and what its chunks are called: books cut by cutters of one unit are cut alike."""

    unit: str
    chunker: Chunker

    def __call__(self, book: Book) -> list[Chunk]:
        """The book's chunks in reading order; none for a book without sentences."""
        return list(self.chunker(book))


def unit_name(granularity: Granularity, *figures: int) -> str:
    """Such as "window-500-50"."""
    return "-".join([granularity.value, *map(str, figures)])


def chunk_id(book: Book, unit: str, number: int) -> ChunkId:
    """The same bytes cut in the same way give the same ids."""
    return ChunkId(f"{book.version}-{unit}-{number:05d}")


def chunks_of(blocks: Iterable[Sequence[Piece]], book: Book, unit: str) -> list[Chunk]:
    """Each block of pieces a chunk."""
    return [
        Chunk(chunk_id(book, unit, number), text_of(block), sentences_in(block), common_headings(block))
        for number, block in enumerate(blocks)
    ]


def _each_alone(book: Book) -> list[Chunk]:
    return [Chunk(ChunkId(sentence.id), sentence.text, (sentence.id,)) for sentence in body(book)]


SENTENCES = Cutter(unit_name(Granularity.SENTENCE), _each_alone)
"""S1: a sentence a chunk, under its own id."""
