"""The evidence as a language model is given it (S1, "Prompt design")."""

from collections.abc import Iterator, Sequence

from chapterverse.evidence.citation import cite
from chapterverse.evidence.numbering import Evidence

HEADER = "Retrieved Evidence:"
INDENT = " " * 4


def evidence_block(evidence: Sequence[Evidence]) -> str:
    """S1's header, numbering and line breaks; the line of a neighbour that is not there is left out. No newline at the end."""
    return "\n".join([HEADER, *(line for one in evidence for line in _lines(one))])


def _lines(evidence: Evidence) -> Iterator[str]:
    passage = evidence.passage
    yield f'{evidence.number}. "{passage.sentence.text}"'
    yield f"{INDENT}{cite(passage)}"
    if passage.previous:
        yield f"{INDENT}Previous: {passage.previous.text}"
    if passage.next:
        yield f"{INDENT}Next: {passage.next.text}"
