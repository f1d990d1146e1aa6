"""Names: the people and places of the claim have to be those of the book."""

import re

from chapterverse.evidence.checks.finding import Finding, Weight
from chapterverse.evidence.checks.vocabulary import EMPTY, TITLES
from chapterverse.messages import message

_NAME = re.compile(r"(?<=[^.!?“\"\s]\s)[A-Z][^\W\d_]+|(?<=\b[A-Z][a-z]\.\s)[A-Z][^\W\d_]+|\b[A-Z]{2,}\b")


def check_names(claim: str, sentence: str, around: str) -> Finding | None:
    """A DOUBT where each of the two has names and none in common; around: whatever else may name them rightly (the
    neighbours, the title). Nicknames and titles ("the Pope") make more than a doubt of it too bold."""
    ours, theirs = read_names(claim), read_names(sentence)
    strange = [name for name in ours if name not in around and name not in sentence]
    if not strange or len(strange) < len(ours) or not theirs:
        return None
    return Finding(Weight.DOUBT, message("book_other_name", ours=strange[0], theirs=theirs[0]))


def read_names(text: str) -> list[str]:
    """Words with a capital that do not begin a sentence; names at its beginning are missed."""
    return [name for name in dict.fromkeys(_NAME.findall(text)) if name.lower() not in EMPTY | TITLES]
