"""What stands on a page beside the text that is read on: footnotes, captions, asides and side notes, each with its page."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from chapterverse.ingestion.captions import Captioned
from chapterverse.ingestion.flow import FlowLine
from chapterverse.ingestion.insets import blocks_of
from chapterverse.ingestion.margins import Margined
from chapterverse.ingestion.marks import Line
from chapterverse.ingestion.notes import Noted, mark_of
from chapterverse.ingestion.reading_order import Ordered
from chapterverse.model import Kind


@dataclass(frozen=True, slots=True)
class Extra:
    """One note or caption."""

    kind: Kind
    lines: tuple[FlowLine, ...]

    @property
    def page(self) -> int:
        return self.lines[0].page


def extras_of(
    noted: Sequence[Noted], captioned: Captioned, ordered: Sequence[Ordered], margined: Sequence[Margined]
) -> list[Extra]:
    """Everything that is kept, but apart from the sentences."""
    extras = [extra(Kind.FOOTNOTE, note) for note in footnotes_in(noted)]
    extras += [Extra(Kind.CAPTION, caption) for caption in captioned.captions]
    extras += [extra(Kind.CAPTION, aside) for page in ordered for aside in page.asides]
    extras += [extra(Kind.SIDENOTE, note) for page in margined for note in blocks_of(page.sidenotes)]
    return extras


def extra(kind: Kind, lines: Iterable[Line]) -> Extra:
    """Lines outside the flow, each in a column as wide as itself."""
    return Extra(kind, tuple(FlowLine(line, line.x0, line.x1, None, None) for line in lines))


def footnotes_in(pages: Sequence[Noted]) -> Iterator[list[Line]]:
    """The footnotes one by one; one that begins without a mark goes on from the page before."""
    note: list[Line] = []
    for page in pages:
        for line in page.notes:
            if mark_of(line) and note:
                yield note
                note = []
            note.append(line)
    if note:
        yield note
