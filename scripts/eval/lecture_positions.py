#!/usr/bin/env python3
"""Whether the lecturer's position in a book helps, or at least does not hurt, on other kinds of lectures, made of two books.

    CHAPTERVERSE_HOME=build/lecture PYTHONPATH=src python -m scripts.eval.lecture_positions [SHARED] [--share 0.05]

A window is a share of the words of a paragraph, drawn at random; right: that paragraph is first, or among the first three.
Paragraphs in order, in order of two books by turns of ten, every fifth one, backwards, and shuffled."""

import argparse
import random
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from uuid import uuid4

from chapterverse import composition
from chapterverse.cli.files import sources_at
from chapterverse.composition.applications import lecture_context
from chapterverse.core.book import BookId, Chunk, ChunkId
from chapterverse.lectures.citing import cite_windows
from chapterverse.lectures.context import LectureContext, as_found, unchanged_queries
from chapterverse.lectures.model import Attached, LectureSession, Window
from chapterverse.library.chunks import load_chunks
from chapterverse.library.intake import add_book
from chapterverse.settings import read_settings
from scripts.eval.lecture import AT_ONCE, EVERYTHING, SEED, Kept
from scripts.eval.shared import shared_folder

BOOKS, SCHOOL, MIN_WORDS, WINDOWS, TURN = ("the-prince", "pragmatism"), "elsewhere", 40, 200, 10


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("shared", nargs="?", type=Path, help="the shared folder")
    parser.add_argument("--share", type=float, default=0.05, help="share of a paragraph's words that the lecturer says")
    given = parser.parse_args()
    folder, context = shared_folder(given.shared, "goldbooks/pdf"), lecture_context(read_settings())
    context = replace(
        context, enrich=unchanged_queries, services=replace(context.services, embedder=Kept(context.services.embedder))
    )
    one, other = (added(folder / f"{name}.pdf", context) for name in BOOKS)
    draw = random.Random(SEED)
    spoken = {
        chunk.id: " ".join(word for word in chunk.text.split() if draw.random() < given.share) for chunk in (*one, *other)
    }
    print(f"{'':22}  words @1, @3   and position @1, @3")
    for name, chunks in orders(one, other, draw):
        by = [right(chunks[:WINDOWS], spoken, replace(context, reorder=reorder)) for reorder in (as_found, EVERYTHING)]
        print(f"{name:22}", *(f"{share:6.3f}" for shares in by for share in shares), flush=True)


def added(file: Path, context: LectureContext) -> list[Chunk]:
    """Paragraphs of the added book that are long enough for a window."""
    limits = composition.limits(read_settings(), context.services.collection)
    [source] = sources_at(str(file), limits, {})
    book = add_book(source.read(), source.name, SCHOOL, context.services, limits).book
    assert book.active is not None
    return [chunk for chunk in load_chunks(context.services.bucket, book.active.key) if len(chunk.text.split()) >= MIN_WORDS]


def orders(one: Sequence[Chunk], other: Sequence[Chunk], draw: random.Random) -> Iterator[tuple[str, Sequence[Chunk]]]:
    yield "in order", one
    turns = zip(range(0, len(one), TURN), range(0, len(other), TURN), strict=False)
    yield "two books by turns", [chunk for a, b in turns for chunk in (*one[a : a + TURN], *other[b : b + TURN])]
    yield "every fifth paragraph", [*one[::5], *other[::5]]
    yield "backwards", one[::-1]
    yield "shuffled", draw.sample([*one, *other], WINDOWS)


def right(chunks: Sequence[Chunk], spoken: dict[ChunkId, str], context: LectureContext) -> tuple[float, float]:
    """Shares of windows of which the first, and one of the first three, is the paragraph itself."""
    session = LectureSession(uuid4(), SCHOOL, datetime.now(UTC), tuple(Attached(BookId(name)) for name in BOOKS))
    context.store.begin(session)
    windows = [Window(index, 0.0, 0.0, spoken[chunk.id]) for index, chunk in enumerate(chunks)]
    ranks = [0, 0]
    for at in range(0, len(windows), AT_ONCE):
        for result, chunk in zip(cite_windows(session, windows[at : at + AT_ONCE], context), chunks[at:], strict=False):
            found = [citation.chunk_id for citation in result.citations]
            ranks[0] += found[:1] == [chunk.id]
            ranks[1] += chunk.id in found
    return ranks[0] / len(windows), ranks[1] / len(windows)


if __name__ == "__main__":
    main()
