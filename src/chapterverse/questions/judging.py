"""Whether what was found holds an answer at all: several signs, because no threshold on one score can tell.

A question that nobody has answered is near to much that is written of the same thing; what it asks for is missing all the
same.

How likely it is that what was found answers the question (retrieval/answerable.py).

Whether a question is answered from what was found at all, in every application the same way: where a school has accepted a
calibration of its own texts, by that, from the score on that it has set; else by what is measured for the embedding model
(retrieval/usual.py), or by the thresholds of the specification."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import astuple, dataclass, replace
from math import exp, log

from chapterverse.core.words import covered, distinct_terms
from chapterverse.essays.service import choices_of
from chapterverse.library.services import Services
from chapterverse.questions.calibration import Calibration, accepted
from chapterverse.questions.model import Judgement, Signs, Standing
from chapterverse.questions.styles import AnswerStyle
from chapterverse.search.chunks import FoundChunk
from chapterverse.search.plan import DEFAULT_THRESHOLDS, DefaultThresholds, RetrievalPlan

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
class Weights:
    """Of a logistic regression: of each sign, and what there is without any."""

    of: Signs
    base: float


# Both fitted on sets of questions that have no answer, by `make eval-ask-signs`; how well they tell, on documents that they
# were not fitted on, is in docs/quality.md.
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


def judgement_on(question: str, found: Sequence[FoundChunk], plan: RetrievalPlan, services: Services) -> Judgement | None:
    """By the first plan.judged of them, as they are ordered. None where nothing was found, the plan asks for none, or the
    collection is not looked up by words. Raises IndexUnavailable."""
    read = sorted(found, key=lambda one: -one.ordered_by)[: plan.judged]
    if not read or services.words is None:
        return None
    rarities = services.words.rarities(read[0].book.key.partition, distinct_terms(question))
    weights = WEIGHTS_OF_ENTRIES if read[0].chunk.question else WEIGHTS_OF_TEXTS
    signs = signs_of(question, [_looked(one) for one in read], rarities)
    return Judgement(answerable(signs, weights), signs)


def _looked(found: FoundChunk) -> Looked:
    sentences = [passage.sentence.text for passage in found.passages]
    return Looked(found.ordered_by, found.score, found.chunk.text, sentences, found.nearest)


@dataclass(frozen=True)
class Judge:
    """calibration: what the school has accepted for this collection, None for nothing. only_sure: whether what is not sure is
    refused, too. fixed: cosine of the specification or of whoever runs this, from which a chunk may be a source where neither
    that nor the usual tells; nearer than it, the usual refuses nothing."""

    plan: RetrievalPlan
    services: Services
    calibration: Calibration | None
    only_sure: bool
    fixed: float = -1.0
    usual: DefaultThresholds | None = None

    @property
    def calibrated(self) -> bool:
        """Not where only what is sure is answered and no score is sure."""
        return self.calibration is not None and not (self.only_sure and self.calibration.confidence.sure is None)

    @property
    def least(self) -> float:
        """The cosine from which a chunk may be a source."""
        if self.calibration and self.calibrated:
            return self.calibration.cosine.maybe
        return self.usual.cosine if self.usual else self.fixed

    def __call__(self, question: str, found: Sequence[FoundChunk]) -> Judgement | None:
        """None where there are no signs to judge by. Raises IndexUnavailable."""
        judgement = judgement_on(question, found, self.plan, self.services)
        return judgement and replace(judgement, standing=self._standing(judgement))

    def _standing(self, judgement: Judgement) -> Standing | None:
        if self.calibration and (self.calibrated or not self.usual):
            return self.calibration.confidence.standing(judgement.score, only_sure=self.only_sure)
        if not self.usual:
            return None
        near = judgement.signs.cosine >= self.fixed > -1  # among a handful of entries the other signs tell little
        return Standing.POSSIBLE if near or judgement.score >= self.usual.confidence else Standing.REFUSED


def judge_for(school: str, services: Services, plan: RetrievalPlan, style: AnswerStyle, least: float | None = None) -> Judge:
    """services: those of the collection. least: the cosine that whoever runs this has set, None for the usual.

    Raises BucketUnavailable, CatalogUnavailable."""
    if calibration := accepted(school, services):
        chosen = choices_of(school, services).least(services.collection)
        confidence = calibration.confidence.from_score(chosen, only_sure=style.only_sure)
        calibration = replace(calibration, confidence=confidence)
    if least is not None:
        return Judge(plan, services, calibration, style.only_sure, least)
    usual = DEFAULT_THRESHOLDS.get(services.for_school(school).embedder.model)
    return Judge(plan, services, calibration, style.only_sure, style.least, usual)
