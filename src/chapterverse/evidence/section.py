"""The evidence as a student reads it, in Markdown (S1, "Citation strategy")."""

import re
from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType

from chapterverse.evidence.citation import cite
from chapterverse.evidence.numbering import Evidence, Passage
from chapterverse.evidence.verdict import Verdict

HEADER = "Evidence Used:"
INDENT = " " * 4

_MARKUP = re.compile(r"[\\`*_\[\]<>&]")


def evidence_section(
    evidence: Sequence[Evidence], further_reading: bool = False, verdicts: Mapping[int, Verdict] = MappingProxyType({})
) -> str:
    """S1's header, numbering and line breaks: the sentence in bold between its neighbours, then where it stands.

    further_reading adds the whole paragraph of each, verdicts, by number, whether it bears the essay out. What looks like
    mark-up in a book is escaped. No newline at the end."""
    return "\n".join([HEADER, *(line for one in evidence for line in _lines(one, further_reading, verdicts.get(one.number)))])


def _lines(evidence: Evidence, further_reading: bool, verdict: Verdict | None) -> Iterator[str]:
    yield f"{evidence.number}. *{in_context(evidence.passage)}*"
    yield f"{INDENT}{escaped(cite(evidence.passage))}"
    if verdict:
        yield f"{INDENT}{verdict.kind.in_words}."
    if further_reading:
        yield f"{INDENT}Further reading: {escaped(evidence.passage.paragraph)}"


def in_context(passage: Passage) -> str:
    """Previous sentence, the sentence in bold, next sentence; a neighbour that is not there is left out."""
    previous = f"{escaped(passage.previous.text)} " if passage.previous else ""
    following = f" {escaped(passage.next.text)}" if passage.next else ""
    return f"{previous}**{escaped(passage.sentence.text)}**{following}"


def escaped(text: str) -> str:
    """Text that Markdown shows as it is."""
    return _MARKUP.sub(r"\\\g<0>", text)
