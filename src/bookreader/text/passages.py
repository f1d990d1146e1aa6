"""Text that has no pages: passages whose sentences are known by their place in the passage, and addresses for them."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import accumulate, chain

from bookreader.book import Address, BookId, Chapter, Kind, Sentence, paragraph_id, sentence_id
from bookreader.text.sentences import split_sentences

LONGEST_CODE = 800  # characters of code that are one sentence, unless a single line has more
LONGEST_ROW = 1000  # of a table's row


@dataclass(frozen=True, slots=True)
class SpannedPassage:
    """A paragraph, list item, table or piece of code. spans: [start, end) of its sentences."""

    text: str
    spans: tuple[tuple[int, int], ...]


def sentences_at(
    its: SpannedPassage, edition: tuple[BookId, str], chapter: Chapter, path: tuple[str, ...], number: int, *, url: str | None
) -> Iterator[Sentence]:
    """The sentences of one passage, linked to their neighbours in it. edition: book and version; path: headings above it;
    number: of the passage in its chapter, from 0; url: where it is read, None if nowhere."""
    paragraph = paragraph_id(edition[1], chapter.index + 1, number)
    ids = [sentence_id(paragraph, i) for i in range(len(its.spans))]
    for i, (id_, span) in enumerate(zip(ids, its.spans, strict=True)):
        address = Address(*edition, chapter, path, paragraph, number, i, span, (), url)
        before, after = ids[i - 1] if i else None, ids[i + 1] if i + 1 < len(ids) else None
        yield Sentence(id_, its.text[slice(*span)], Kind.SENTENCE, address, before, after)


def prose(text: str) -> SpannedPassage:
    """The passage of a paragraph, split into sentences."""
    return SpannedPassage(text, tuple(split_sentences(text)))


def of_parts(parts: Iterable[str]) -> SpannedPassage:
    """The passage of parts that are sentences already, one a line."""
    texts = [part for part in parts if part.strip()]
    starts = accumulate((len(text) + 1 for text in texts), initial=0)
    spans = tuple((start, start + len(text)) for start, text in zip(starts, texts, strict=False))
    return SpannedPassage("\n".join(texts), spans)


def code(text: str) -> SpannedPassage:
    """The passage of code, in lines as written, split into parts short enough to show."""
    blocks = re.split(r"\n(?:[ ]*\n)+", text.expandtabs(4).strip("\n"))
    return of_parts(part for block in blocks for part in short_parts(block))


def short_parts(block: str) -> Iterator[str]:
    """The block, divided between lines if it is longer than LONGEST_CODE."""
    part: list[str] = []
    for line in block.splitlines():
        if part and sum(map(len, part)) + len(part) + len(line) > LONGEST_CODE:
            yield "\n".join(part)
            part = []
        part.append(line.rstrip())
    yield "\n".join(part)


def table(rows: Iterable[str]) -> SpannedPassage:
    """The passage of a table: rows as sentences; a row that is a text of its own is split into sentences."""
    texts = ([row[start:end] for start, end in split_sentences(row)] if len(row) > LONGEST_ROW else [row] for row in rows)
    return of_parts(chain.from_iterable(texts))
