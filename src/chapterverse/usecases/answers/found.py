"""From chunks that were found on a question to what an answer is made from, the same way in every application."""

from collections.abc import Sequence

from chapterverse.evidence.numbering import Passage
from chapterverse.retrieval.answerable import Judgement
from chapterverse.usecases.answers.sources import Findings, Source
from chapterverse.usecases.chunk_evidence import FoundChunk


def findings_of(
    found: Sequence[FoundChunk], least: float, related: Sequence[str] = (), judgement: Judgement | None = None
) -> Findings:
    """Chunks whose cosine reaches `least` as sources, numbered in the order they were found in; the scores of all of them, best
    first: their order may rest on words, too."""
    reaching = [chunk for chunk in found if chunk.score >= least]
    return Findings(
        sources=tuple(source_of(chunk, number) for number, chunk in enumerate(reaching, start=1)),
        scores=tuple(sorted((chunk.score for chunk in found), reverse=True)),
        related=tuple(related),
        judgement=judgement,
    )


def source_of(found: FoundChunk, number: int) -> Source:
    """A chunk as an answer's source, its sentences in reading order. An entry goes by its question, and is shown as it was
    written (S5, 3.2)."""
    entry, address = bool(found.chunk.question), found.passages[0].sentence.address
    kind, _, id = (address.chapter.file or "").partition("/") if entry else ("pdf" if address.places else "page", "", "")
    return Source(
        number=number,
        title=found.chunk.question or found.book.title,
        text=found.chunk.text,
        passages=tuple(sorted(found.passages, key=_place)),
        score=found.score,
        module="" if entry else address.chapter.module or "",
        headings=() if entry else found.chunk.headings,
        whole=entry,
        type=kind,
        id=id or str(address.book),
        department=address.chapter.module if entry else found.book.department,
    )


def _place(passage: Passage) -> tuple[int, int, int]:
    """Its place in the source."""
    address = passage.sentence.address
    return address.chapter.index, address.paragraph, address.sentence
