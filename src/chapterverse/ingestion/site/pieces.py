"""What a page is made of."""

from dataclasses import dataclass

from chapterverse.ingestion.passages import Passage


@dataclass(frozen=True, slots=True)
class Heading:
    """level: 1 to 6. anchor: what a link to it ends in, None where it has none."""

    level: int
    text: str
    anchor: str | None


Piece = Heading | Passage
