"""Whether what was found holds an answer at all: several signs, because no threshold on one score can tell.

A question that nobody has answered is near to much that is written of the same thing; what it asks for is missing all the
same."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import astuple, dataclass
from enum import StrEnum
from math import exp, log

from chapterverse.retrieval.terms import covered, distinct_terms

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
    the score of the last.

    three, at_once: the share in [0, 1] of what the question's terms tell that the chunks together, and the one sentence with
    most of it hold. typed: 0 where the question asks for a number or a person and the first chunk has none, else 1.

    rarity, asked: of the question alone: how much a term of it tells, in the mean, and the logarithm of 1 + what all of them
    tell. A question of rare words is answered by fewer chunks, and one of many words more like its answer."""

    cosine: float
    sentence: float
    score: float
    lead: float
    three: float
    at_once: float
    typed: float
    rarity: float
    asked: float


@dataclass(frozen=True, slots=True)
class Weights:
    """Of a logistic regression: of each sign, and what there is without any."""

    of: Signs
    base: float


class Standing(StrEnum):
    """What a school's own texts say of a score: right in 95 of 100 cases; as good as 95 of 100 right answers; neither."""

    SURE = "sure"
    POSSIBLE = "possible"
    REFUSED = "refused"


@dataclass(frozen=True, slots=True)
class Judgement:
    """Whether what was found answers the question, from its signs. score: in [0, 1]. standing: None where the school has
    accepted no calibration: then nothing is refused for it, and the thresholds of the specification hold."""

    score: float
    signs: Signs
    standing: Standing | None = None


# Both fitted on sets of questions that have no answer, by `make eval-ask-signs`; how well they tell, on documents that they
# were not fitted on, is in docs/asking.md.
WEIGHTS_OF_TEXTS = Weights(
    Signs(cosine=2.4, sentence=1.93, score=-1.1, lead=0.55, three=-0.04, at_once=1.12, typed=0.44, rarity=-0.16, asked=-0.07),
    base=-2.02,
)
WEIGHTS_OF_ENTRIES = Weights(
    Signs(cosine=6.97, sentence=3.18, score=5.79, lead=5.25, three=0.76, at_once=0.47, typed=0.11, rarity=0.23, asked=1.16),
    base=-15.67,
)


def signs_of(question: str, found: Sequence[Looked], rarities: Mapping[str, float]) -> Signs:
    """found: best first, at least one, three for the weights above. rarities: of the question's terms (LexicalIndex)."""
    terms = distinct_terms(question)
    told = sum(rarities[term] for term in terms)
    return Signs(
        cosine=max(one.cosine for one in found),
        sentence=max(one.nearest for one in found),
        score=found[0].score,
        lead=found[0].score - found[-1].score,
        three=covered(terms, rarities, " ".join(one.text for one in found)),
        at_once=max((covered(terms, rarities, text) for one in found for text in one.sentences), default=0.0),
        typed=float(has_what_is_asked(question, found[0].text)),
        rarity=told / max(len(terms), 1),
        asked=log(1 + told),
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
