"""Windows of so many characters (S2, "Chunk Size Selection": 500, of which 50 are in the window before, too)."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import accumulate

from chapterverse.ingestion.chunks.cutter import Cutter, chunk_id, unit_name
from chapterverse.ingestion.chunks.pieces import Piece, common_headings, pieces_of, sentences_in
from chapterverse.model import Book, Chunk, ChunkId, Granularity


def windows(characters: int = 500, overlap: int = 50) -> Cutter:
    """Windows over the whole book, headings too, cut between words; a word longer than a window is parted.

    The seed cuts wherever its count ends, "mid-way" as it says itself. 0 <= overlap < characters."""
    unit = unit_name(Granularity.WINDOW, characters, overlap)

    def cut(book: Book) -> list[Chunk]:
        layout = Layout.of(pieces_of(book))
        return [layout.chunk(span, chunk_id(book, unit, n)) for n, span in enumerate(spans(layout.text, characters, overlap))]

    return Cutter(unit, cut)


@dataclass(frozen=True, slots=True)
class Layout:
    """Pieces as one text, and where each begins and ends there."""

    text: str
    pieces: Sequence[Piece]
    begins: Sequence[int]
    ends: Sequence[int]

    @classmethod
    def of(cls, pieces: Iterable[Piece]) -> "Layout":
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
