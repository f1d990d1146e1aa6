"""The plain text that writers and judges of training data fill in, and what it says.

paragraphs.txt, a block a paragraph:

    # 07 | grade 8 | argumentative | weak | Spanish
    The student's paragraph, one or more lines.
    = a claim it makes, in plain words (none for a paragraph without a claim)
    + a sentence that a book might hold for it
    - a sentence that a book might hold against it

verdicts.txt, a line a paragraph; candidates that are not named are irrelevant (0):

    07: 4:2s 12:1b 30:2c          number of the candidate, score 1 or 2, relation: s, c, e or b

claims.txt, a block a sentence of a book:

    @ 31
    s: a claim that the sentence supports
    p: a claim that it supports in part
    c number: a claim that it contradicts, and how: number, negation, scope, agents or other
    t: a claim on the same topic of which the sentence says nothing"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

RELATIONS = {"s": "supports", "c": "contradicts", "e": "example", "b": "background"}
KINDS = {"s": "supports", "p": "partly", "c": "contradicts", "t": "nothing"}
WAYS = {"number", "negation", "scope", "agents", "other"}
SIGNS = {"=": "claims", "+": "statements_for", "-": "statements_against"}


@dataclass(frozen=True)
class WrittenParagraph:
    """A student's paragraph as a writer of data made it up."""

    number: int
    grade: str
    genre: str
    writing: str
    first_language: str
    text: str
    claims: list[str] = field(default_factory=list)
    statements_for: list[str] = field(default_factory=list)
    statements_against: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class Verdict:
    """A judgement of a candidate: score 1 (on topic) or 2 (useful), and the sentence's relation to the paragraph's point."""

    candidate: int
    score: int
    relation: str


@dataclass(frozen=True)
class WrittenClaim:
    """A claim written beside a sentence of a book. way: how it contradicts, else empty."""

    target: int
    kind: str
    way: str
    text: str


def read_paragraphs(text: str) -> list[WrittenParagraph]:
    """The paragraphs of paragraphs.txt. Raises ValueError with the block that is wrong."""
    paragraphs = [_paragraph(block) for block in re.split(r"^(?=# )", text, flags=re.M) if block.strip()]
    numbers = [paragraph.number for paragraph in paragraphs]
    if repeated := {number for number in numbers if numbers.count(number) > 1}:
        raise ValueError(f"paragraphs with the same number: {sorted(repeated)}")
    return paragraphs


def _paragraph(block: str) -> WrittenParagraph:
    head, *lines = block.strip().splitlines()
    fields = [part.strip() for part in head.removeprefix("# ").split("|")]
    if len(fields) != 5 or not fields[0].isdigit():
        raise ValueError(f"five parts between | are wanted: {head}")
    parts: dict[str, list[str]] = {name: [] for name in SIGNS.values()}
    prose = list[str]()
    for line in lines:
        if line[:2] in {f"{sign} " for sign in SIGNS}:
            parts[SIGNS[line[0]]].append(line[2:].strip())
        elif line.strip():
            prose.append(line.strip())
    if not prose:
        raise ValueError(f"no text: {head}")
    return WrittenParagraph(int(fields[0]), *fields[1:], "\n".join(prose), **parts)


def read_verdicts(text: str) -> dict[int, list[Verdict]]:
    """The verdicts of verdicts.txt by paragraph. Raises ValueError with the line that is wrong."""
    found = dict[int, list[Verdict]]()
    for line in filter(str.strip, text.splitlines()):
        number, colon, rest = line.partition(":")
        if not colon or not number.strip().isdigit() or int(number) in found:
            raise ValueError(f"a paragraph's number once, and a colon, are wanted: {line}")
        found[int(number)] = [_verdict(word, line) for word in rest.split()]
    return found


def _verdict(word: str, line: str) -> Verdict:
    if not (match := re.fullmatch(r"(\d+):([12])([sceb])", word)):
        raise ValueError(f"{word} is no verdict like 4:2s, in: {line}")
    return Verdict(int(match[1]), int(match[2]), RELATIONS[match[3]])


def read_claims(text: str) -> list[WrittenClaim]:
    """The claims of claims.txt. Raises ValueError with the line that is wrong."""
    return list(_claims(text))


def _claims(text: str) -> Iterator[WrittenClaim]:
    target = -1
    for line in filter(str.strip, text.splitlines()):
        if match := re.fullmatch(r"@ (\d+)\s*", line):
            target = int(match[1])
        elif match := re.fullmatch(r"([spct])(?: (\w+))?: (.+)", line.strip()):
            kind, way = KINDS[match[1]], match[2] or ""
            if target < 0 or (kind == "contradicts") != (way in WAYS):
                raise ValueError(f"after its sentence's @, with a way ({', '.join(sorted(WAYS))}) only for c: {line}")
            yield WrittenClaim(target, kind, way, match[3].strip())
        else:
            raise ValueError(f"no line of claims.txt: {line}")
