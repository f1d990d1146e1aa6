"""Whether what was found holds an answer at all: several signs, because no threshold on one score can tell.

A question that nobody has answered is near to much that is written of the same thing; what it asks for is missing all the
same."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import astuple, dataclass
from math import exp

from chapterverse.retrieval.terms import covered, distinct_terms

READ = 3  # first chunks that are looked at: as many as the least of the plans gives
_NUMBER_ASKED = re.compile(
    r"\b(?:how (?:many|much|long|often|old|far|tall|large|big|high)|when|deadline|due|"
    r"what (?:percent\w*|number|year|date|time|score))\b",
    re.IGNORECASE,
)
_PERSON_ASKED = re.compile(r"\bwho(?:se|m)?\b", re.IGNORECASE)
_NUMBER = re.compile(r"\d")
_NAME = re.compile(r"(?<=[a-z,] )[A-Z][a-z]+ [A-Z]")


@dataclass(frozen=True, slots=True)
class Looked:
    """A chunk that was found: score, that it is ordered by; cosine; its text; its sentences, and the cosine of the nearest."""

    score: float
    cosine: float
    text: str
    sentences: Sequence[str]
    nearest: float


@dataclass(frozen=True, slots=True)
class Signs:
    """cosine: of the nearest chunk; sentence: of the nearest sentence; score: of the first hit, words and all; lead: that less
    the score of the third.

    three, at_once: the share in [0, 1] of what the question's terms tell (retrieval/terms.py) that the first three chunks
    together, and the one sentence with most of it hold. typed: 0 where the question asks for a number or a person
    and the first chunk has none, else 1."""

    cosine: float
    sentence: float
    score: float
    lead: float
    three: float
    at_once: float
    typed: float


@dataclass(frozen=True, slots=True)
class Weights:
    """Of a logistic regression: of each sign, and what there is without any."""

    of: Signs
    base: float


# Both fitted on sets of questions that have no answer, by `make eval-ask-signs`; how well they tell, on documents that they
# were not fitted on, is in docs/asking.md.
WEIGHTS_OF_TEXTS = Weights(
    Signs(cosine=2.44, sentence=1.93, score=-0.96, lead=0.31, three=0.1, at_once=1.23, typed=0.43), base=-2.77
)
WEIGHTS_OF_ENTRIES = Weights(
    Signs(cosine=8.09, sentence=3.07, score=4.22, lead=6.79, three=-0.04, at_once=-1.09, typed=0.01), base=-10.28
)


def signs_of(question: str, found: Sequence[Looked], rarities: Mapping[str, float]) -> Signs:
    """found: best first, at least one; the first READ count. rarities: of the question's terms (LexicalIndex.rarities)."""
    terms, first = distinct_terms(question), found[:READ]
    return Signs(
        cosine=max(one.cosine for one in first),
        sentence=max(one.nearest for one in first),
        score=first[0].score,
        lead=first[0].score - first[-1].score,
        three=covered(terms, rarities, " ".join(one.text for one in first)),
        at_once=max((covered(terms, rarities, text) for one in first for text in one.sentences), default=0.0),
        typed=float(has_what_is_asked(question, first[0].text)),
    )


def has_what_is_asked(question: str, text: str) -> bool:
    """Whether a question for a number has one in the text, and one for a person a name: two words with capitals, the first of
    them within a sentence. Other questions, and such as are not English, have it anyhow."""
    if _NUMBER_ASKED.search(question):
        return bool(_NUMBER.search(text))
    return bool(_NAME.search(text)) if _PERSON_ASKED.search(question) else True


def answerable(signs: Signs, weights: Weights) -> float:
    """In [0, 1], the greater the likelier. It orders questions; how often it is right at which value, a school's own books
    must say (`chapterverse calibrate`)."""
    said = weights.base + sum(weight * sign for weight, sign in zip(astuple(weights.of), astuple(signs), strict=True))
    return 1 / (1 + exp(-said))
