"""Plays and dialogues: the names that speeches begin with. They are known by how often the same few words in capitals begin a
line."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise, takewhile

from bookreader.book import Kind
from bookreader.pdf.blocks import TextBlock
from bookreader.pdf.characters import has_capitals
from bookreader.pdf.model import Line, Token

LONGEST = 4  # words of a name
WORDS = ("I", "A", "O")  # words in capitals that a speech may begin with
OFTEN = 3  # speeches of each
SHARE = 0.3  # of the paragraphs begin with a name


def speeches_of(blocks: Sequence[TextBlock]) -> list[tuple[TextBlock, str]]:
    """The blocks, each speech as one of its own, with the name that it begins with; "" for any other block."""
    texts = [block for block in blocks if block.kind is Kind.SENTENCE]
    counts = Counter(name for block in texts for each in block.lines if (name := name_in(each.line)))
    names = {name for name, count in counts.items() if count >= OFTEN}
    if len(names) < 2 or sum(counts[name] for name in names) < SHARE * len(texts):
        return [(block, "") for block in blocks]
    return [part for block in blocks for part in parted(block, names)]


def parted(block: TextBlock, names: set[str]) -> Iterator[tuple[TextBlock, str]]:
    """The block, divided before each line that begins with a name."""
    found = [name_in(each.line) if block.kind is Kind.SENTENCE else "" for each in block.lines]
    starts = [0, *(n for n, name in enumerate(found) if n and name in names), len(found)]
    for start, end in pairwise(starts):
        name = found[start] if found[start] in names else ""
        yield replace(block, lines=block.lines[start:end], opens=block.opens and not start), name


def name_in(line: Line) -> str:
    """The first words of a line if they are in capitals, and others follow."""
    words = [*takewhile(is_capital, line.tokens)]
    stop = next((n for n, token in enumerate(words) if token.text[-1] in ".:"), len(words) - 1)
    words = words[: stop + 1]
    while words and words[-1].text in WORDS:
        words.pop()
    text = "".join(token.text if token.glued else f" {token.text}" for token in words).strip()
    return text if any(len(token.text) > 2 for token in words) and len(words) < min(LONGEST + 1, len(line.tokens)) else ""


def is_capital(token: Token) -> bool:
    """Whether a word is in capitals, large or small."""
    return token.text.isupper() or (token.text.isalpha() and has_capitals(token.style.font))
