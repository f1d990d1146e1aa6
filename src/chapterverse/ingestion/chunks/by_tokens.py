"""Paragraphs (S3), sections (S4) and passages (S5): chunks whose length is counted in the embedding model's own tokens."""

from collections.abc import Callable, Hashable, Iterator
from itertools import chain, groupby

from chapterverse.ingestion.chunks.cutter import Cutter, chunk_id, chunks_of, unit_name
from chapterverse.ingestion.chunks.packing import Bounds, pack
from chapterverse.ingestion.chunks.pieces import Count, Piece, body, counted, pieces_of
from chapterverse.model import Book, Chunk, Granularity, Sentence

ENTRIES = "entries"
"""What a report says the chapters of a book were made from (chapter_source) where each is an FAQ entry or a resolved ticket:
its title the question, its sentences the answer."""

HEADINGS = 3  # of a section: its chapter's, which on a page is the first (H1), and H2 and H3


def sections(count: Count, least: int = 500, most: int = 1500, overlap: int = 200) -> Cutter:
    """What stands below a heading H2 or H3; a longer one in parts that overlap (S4, "Content Chunking Strategy")."""
    unit = unit_name(Granularity.SECTION, least, most, overlap)
    return Cutter(unit, _packer(unit, count, Bounds(least, most, overlap), lambda piece: piece.headings[:HEADINGS]))


def passages(count: Count, least: int = 256, most: int = 512, overlap: int = 50) -> Cutter:
    """Whole paragraphs, or parts of them, each overlapping the passage before; an entry is one (S5, 3.1 and 3.2)."""
    unit = unit_name(Granularity.PASSAGE, least, most, overlap)
    bounds = Bounds(least, most, overlap, always_overlaps=True)
    pack_paragraphs = _packer(unit, count, bounds, lambda piece: piece.paragraph)

    def cut(book: Book) -> list[Chunk]:
        return list(_entries(book, unit)) if book.report.chapter_source == ENTRIES else pack_paragraphs(book)

    return Cutter(unit, cut)


def paragraphs(count: Count, least: int = 24, most: int = 254) -> Cutter:
    """Each paragraph without the heading above it, which the chunk names beside (S3). One shorter than `least`, such as a line
    or a formula, is joined with the next one of its section, the last with the one before; one longer than `most` is parted
    between its sentences."""
    unit, bounds = unit_name(Granularity.PARAGRAPH, least, most), Bounds(least, most, overlap=0)

    def cut(book: Book) -> list[Chunk]:
        pieces = counted((piece for piece in pieces_of(book) if not piece.is_heading), count, most)
        by_section = groupby(pieces, key=lambda piece: (piece.chapter, piece.headings))
        blocks = (pack(section, bounds, lambda piece: piece.paragraph) for _, section in by_section)
        return chunks_of(chain.from_iterable(blocks), book, unit)

    return Cutter(unit, cut)


def _packer(unit: str, count: Count, bounds: Bounds, group: Callable[[Piece], Hashable]) -> Callable[[Book], list[Chunk]]:
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
