"""Chunks that were found as an answer's sources."""

from collections.abc import Sequence

from chapterverse.usecases.answers.sources import Source
from chapterverse.usecases.chunk_evidence import FoundChunk


def sources_of(found: Sequence[FoundChunk], least: float) -> tuple[Source, ...]:
    """Those that reach the cosine, numbered in the order they were found in."""
    reaching = [one for one in found if one.score >= least]
    return tuple(source_of(number, one) for number, one in enumerate(reaching, start=1))


def source_of(number: int, found: FoundChunk) -> Source:
    """One chunk, its sentences in reading order; an entry goes by its question and is shown as it was written (S5, 3.2)."""
    order = {id: at for at, id in enumerate(found.chunk.sentences)}
    passages = sorted(found.passages, key=lambda passage: order[passage.sentence.id])
    address = passages[0].sentence.address
    entry = bool(found.chunk.question)
    type_, _, id_ = (address.chapter.file or "").partition("/") if entry else ("pdf" if address.places else "page", "", "")
    return Source(
        number=number,
        title=found.chunk.question or found.book.title,
        text=found.chunk.text,
        passages=tuple(passages),
        score=found.score,
        headings=() if entry else found.chunk.headings,
        whole=entry,
        type=type_,
        id=id_ or str(address.book),
    )
