"""What a page is made of: headings, and passages whose sentences are known by their place in the text."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import accumulate

from chapterverse.ingestion.sentences import split_sentences

LONGEST_CODE = 800  # characters of code that are one sentence, unless a single line has more
LONGEST_ROW = 1000  # of a table's row


@dataclass(frozen=True, slots=True)
class Heading:
    """level: 1 to 6. anchor: what a link to it ends in, None where it has none."""

    level: int
    text: str
    anchor: str | None


@dataclass(frozen=True, slots=True)
class Passage:
    """A paragraph, a list's item, a table or a piece of code; spans: [start, end) of its sentences."""

    text: str
    spans: tuple[tuple[int, int], ...]


Piece = Heading | Passage


def prose(text: str) -> Passage:
    """A paragraph as it is read: its sentences as in any book."""
    return Passage(text, tuple(split_sentences(text)))


def of_parts(parts: Iterable[str]) -> Passage:
    """A passage of parts that are sentences as they stand, one below the other."""
    texts = [part for part in parts if part.strip()]
    starts = accumulate((len(text) + 1 for text in texts), initial=0)
    return Passage("\n".join(texts), tuple((start, start + len(text)) for start, text in zip(starts, texts, strict=False)))


def code(text: str) -> Passage:
    """Code line by line as it is written, in parts that can be shown."""
    return of_parts(part for block in text.expandtabs(4).strip("\n").split("\n\n") for part in lines_up_to(LONGEST_CODE, block))


def lines_up_to(most: int, block: str) -> Iterator[str]:
    """The block, parted between lines where it has more characters."""
    part: list[str] = []
    for line in block.splitlines():
        if part and sum(map(len, part)) + len(part) + len(line) > most:
            yield "\n".join(part)
            part = []
        part.append(line.rstrip())
    yield "\n".join(part)


def table(rows: Iterable[str]) -> Passage:
    """Rows as sentences; one that is a text in itself is parted into its own."""
    return of_parts(part for row in rows for part in (sentences_in(row) if len(row) > LONGEST_ROW else [row]))


def sentences_in(text: str) -> list[str]:
    """The texts of its sentences."""
    return [text[start:end] for start, end in split_sentences(text)]
