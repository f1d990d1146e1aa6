"""Pieces packed into blocks of so many tokens, on bounds where there are some."""

from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby

from chapterverse.ingestion.chunks.pieces import Piece

Block = list[Piece]


@dataclass(frozen=True, slots=True)
class Bounds:
    """In tokens: what a block has at least where its chapter has as much, at most, and what of it the one before has, too.

    always_overlaps: each block of a chapter overlaps the one before it, not only the parts of a group that is too long."""

    least: int
    most: int
    overlap: int
    always_overlaps: bool = False

    @property
    def room(self) -> int:
        """What a block has at most before it is overlapped."""
        return self.most - self.overlap if self.always_overlaps else self.most


def pack(pieces: Iterable[Piece], bounds: Bounds, group: Callable[[Piece], Hashable]) -> list[Block]:
    """Pieces of one group stay together where they fit. pieces: in reading order, none of more than most - overlap tokens.

    Groups too short are joined with those after them in the chapter, groups too long parted into parts of about one length."""
    groups = [list(together) for _, together in groupby(pieces, key=lambda piece: (piece.chapter, group(piece)))]
    packed: list[Block] = []
    for block in _without_stumps(_joined(groups, bounds), bounds):
        parts = _parted(block, bounds)
        before = packed[-1] if packed and bounds.always_overlaps and _chapter(packed[-1]) == _chapter(block) else None
        befores: list[Block | None] = [before, *parts]
        packed += [_overlapped(part, other, bounds.overlap) for other, part in zip(befores, parts, strict=False)]
    return packed


def size_of(block: Iterable[Piece]) -> int:
    """In tokens."""
    return sum(piece.tokens for piece in block)


def _joined(groups: Iterable[Block], bounds: Bounds) -> list[Block]:
    blocks: list[Block] = []
    for group in groups:
        if blocks and size_of(blocks[-1]) < bounds.least and _fit(blocks[-1], group, bounds):
            blocks[-1] = blocks[-1] + group
        else:
            blocks.append(group)
    return blocks


def _without_stumps(blocks: Iterable[Block], bounds: Bounds) -> list[Block]:
    """What is left too short is joined with what stands before it."""
    kept: list[Block] = []
    for block in blocks:
        if kept and size_of(block) < bounds.least and _fit(kept[-1], block, bounds):
            kept[-1] = kept[-1] + block
        else:
            kept.append(block)
    return kept


def _fit(one: Block, other: Block, bounds: Bounds) -> bool:
    return _chapter(one) == _chapter(other) and size_of(one) + size_of(other) <= bounds.room


def _chapter(block: Block) -> int:
    return block[0].chapter


def _parted(block: Block, bounds: Bounds) -> list[Block]:
    """The block itself where it fits."""
    if size_of(block) <= bounds.room:
        return [block]
    room = bounds.most - bounds.overlap
    wanted = size_of(block) / -(-size_of(block) // room)
    parts: list[Block] = [[]]
    for piece in block:
        if parts[-1] and (size_of(parts[-1]) + piece.tokens / 2 > wanted or size_of(parts[-1]) + piece.tokens > room):
            parts.append([])
        parts[-1].append(piece)
    return parts


def _overlapped(block: Block, before: Sequence[Piece] | None, overlap: int) -> Block:
    """With as many pieces from the end of the one before as have at most `overlap` tokens."""
    shared: Block = []
    for piece in reversed(before or ()):
        if size_of(shared) + piece.tokens > overlap:
            break
        shared.insert(0, piece)
    return shared + block
