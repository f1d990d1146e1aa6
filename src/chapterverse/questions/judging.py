"""Whether the chunks found answer the question at all, for every application.

No threshold on one score can tell: an unanswerable question is close to much that is written on its topic, and what it asks
for is still missing. A logistic regression over several signals gives a score (`answerable`); where the score begins to mean
"answered" is taken, in this order, from the calibration that the school accepted, the threshold measured for the embedding
model, the specification.

Calibration (`chapterverse calibrate`) asks questions made from the school's own texts, each with and without the passage it
was made from. A made question shares a third of its words with its passage, in order; with half, answers were right less often
than promised (docs/quality.md). Accepted calibrations are stored under
{school}/_{collection}/calibration-2-{unit}-{model}.json."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import astuple, dataclass, replace
from math import exp, log

from pydantic import TypeAdapter

from chapterverse.core.errors import NotFound
from chapterverse.core.names import path_part
from chapterverse.core.words import covered, distinct_terms
from chapterverse.essays.service import choices_of
from chapterverse.library.artefacts import damage_as_loss
from chapterverse.library.services import CollectionServices
from chapterverse.questions.model import Answerability, ConfidenceLevel, Signals
from chapterverse.questions.styles import AnswerStyle
from chapterverse.search.chunks import FoundChunk
from chapterverse.search.plan import DEFAULT_THRESHOLDS, DefaultThresholds, RetrievalPlan


@dataclass(frozen=True, slots=True)
class CalibrationQuestion:
    """One question, asked twice. score: of the best chunk; right: whether that chunk holds what the question was made of;
    without: the best score where every chunk that holds it is left out."""

    score: float
    right: bool
    without: float


@dataclass(frozen=True, slots=True)
class ThresholdMetrics:
    """What a threshold does. precision: share of what is shown that is right, where as many questions have no answer as have
    one, None where nothing is shown; shown: share of the answered questions; silent: share of the others with nothing shown."""

    threshold: float
    precision: float | None
    shown: float
    silent: float


@dataclass(frozen=True, slots=True)
class Scale:
    """sure: score from which on an answer is right in 95 of 100 cases; None where none is. maybe: what 95 of 100 right answers
    reach. told: what these thresholds, and those that were asked about, do. asked: every question, for a picture of them; none
    in what was accepted before they were kept."""

    sure: float | None
    maybe: float
    told: tuple[ThresholdMetrics, ...]
    asked: tuple[CalibrationQuestion, ...] = ()

    def answered_from(self, *, only_sure: bool) -> float:
        """The score below which it refuses."""
        return self.sure if only_sure and self.sure is not None else self.maybe

    def from_score(self, least: float | None, *, only_sure: bool) -> "Scale":
        """The same for a school that wants answers from that score on; None: as it was measured."""
        if least is None:
            return self
        sure = least if only_sure else self.sure and max(self.sure, least)
        return replace(self, maybe=least, sure=sure)

    def standing(self, score: float, *, only_sure: bool) -> ConfidenceLevel:
        """only_sure: what is not sure is refused, where any score is sure at all."""
        if self.sure is not None and score >= self.sure:
            return ConfidenceLevel.CONFIDENT
        return (
            ConfidenceLevel.REFUSED if score < self.maybe or (only_sure and self.sure is not None) else ConfidenceLevel.POSSIBLE
        )


@dataclass(frozen=True, slots=True)
class Calibration:
    """questions: that were made. cosine: of the nearest chunk; confidence: that it answers at all, by more than one sign
    (see below)."""

    model: str
    unit: str
    questions: int
    cosine: Scale
    confidence: Scale


CALIBRATION = TypeAdapter(Calibration)


def accept(school: str, calibration: Calibration, services: CollectionServices) -> None:
    """From now on answers of this collection go by it. Raises BucketUnavailable."""
    name = calibration_name(school, calibration.unit, calibration.model, services)
    services.bucket.write(name, CALIBRATION.dump_json(calibration))


def accepted(school: str, services: CollectionServices) -> Calibration | None:
    """What was accepted for the texts as they are cut and embedded now; None where nothing was."""
    of_school = services.for_school(school)
    try:
        data = services.bucket.read(calibration_name(school, services.chunker.unit, of_school.embedder.model, services))
        with damage_as_loss():
            return CALIBRATION.validate_json(data)
    except NotFound:
        return None


def calibration_name(school: str, unit: str, model: str, services: CollectionServices) -> str:
    """Where it is kept. No book's name begins so."""
    return f"{path_part(school)}/_{services.collection}/calibration-2-{unit}-{path_part(model)}.json"


def forget_accepted(school: str, services: CollectionServices) -> None:
    """Answers of this collection go by the specification's thresholds again. Raises BucketUnavailable."""
    model = services.for_school(school).embedder.model
    services.bucket.delete(calibration_name(school, services.chunker.unit, model, services))


_NUMBER_ASKED = re.compile(
    r"\b(?:how (?:many|much|long|often|old|far|tall|large|big|high)|when|deadline|due|"
    r"what (?:percent\w*|number|year|date|time|score))\b",
    re.IGNORECASE,
)

_PERSON_ASKED = re.compile(r"\bwho(?:se|m)?\b", re.IGNORECASE)

_NUMBER = re.compile(r"\d")

_NAME = re.compile(r"(?<=[a-z,] )[A-Z][a-z]+ [A-Z]")


@dataclass(frozen=True, slots=True)
class ChunkSignals:
    """A chunk that was found: score, that it is ordered by; cosine; its text; its sentences, and the cosine of the nearest."""

    score: float
    cosine: float
    text: str
    sentences: Sequence[str]
    nearest: float


@dataclass(frozen=True, slots=True)
class Weights:
    """Of a logistic regression: of each sign, and what there is without any."""

    of: Signals
    base: float


# Both fitted on sets of questions that have no answer, by `make eval-ask-signs`; how well they tell, on documents that they
# were not fitted on, is in docs/quality.md.
WEIGHTS_OF_TEXTS = Weights(
    Signals(cosine=2.4, sentence=1.93, score=-1.1, lead=0.55, three=-0.04, at_once=1.12, typed=0.44, rarity=-0.16, asked=-0.07),
    base=-2.02,
)

WEIGHTS_OF_ENTRIES = Weights(
    Signals(cosine=6.97, sentence=3.18, score=5.79, lead=5.25, three=0.76, at_once=0.47, typed=0.11, rarity=0.23, asked=1.16),
    base=-15.67,
)


def signals_of(question: str, found: Sequence[ChunkSignals], rarities: Mapping[str, float]) -> Signals:
    """found: best first, at least one, three for the weights above. rarities: of the question's terms (LexicalIndex)."""
    terms = distinct_terms(question)
    told = sum(rarities[term] for term in terms)
    return Signals(
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


def answerable(signs: Signals, weights: Weights) -> float:
    """In [0, 1], the greater the likelier. It orders questions; how often it is right at which value, a school's own books
    must say (`chapterverse calibrate`)."""
    said = weights.base + sum(weight * sign for weight, sign in zip(astuple(weights.of), astuple(signs), strict=True))
    return 1 / (1 + exp(-said))


def answerability_of(
    question: str, found: Sequence[FoundChunk], plan: RetrievalPlan, services: CollectionServices
) -> Answerability | None:
    """By the first plan.judged of them, as they are ordered. None where nothing was found, the plan asks for none, or the
    collection is not looked up by words. Raises IndexUnavailable."""
    read = sorted(found, key=lambda one: -one.ordered_by)[: plan.judged]
    if not read or services.words is None:
        return None
    rarities = services.words.rarities(read[0].book.key.partition, distinct_terms(question))
    weights = WEIGHTS_OF_ENTRIES if read[0].chunk.question else WEIGHTS_OF_TEXTS
    signs = signals_of(question, [_looked(one) for one in read], rarities)
    return Answerability(answerable(signs, weights), signs)


def _looked(found: FoundChunk) -> ChunkSignals:
    sentences = [passage.sentence.text for passage in found.passages]
    return ChunkSignals(found.ordered_by, found.score, found.chunk.text, sentences, found.nearest)


@dataclass(frozen=True)
class Judge:
    """calibration: what the school has accepted for this collection, None for nothing. only_sure: whether what is not sure is
    refused, too. fixed: cosine of the specification or of whoever runs this, from which a chunk may be a source where neither
    that nor the usual tells; nearer than it, the usual refuses nothing."""

    plan: RetrievalPlan
    services: CollectionServices
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

    def __call__(self, question: str, found: Sequence[FoundChunk]) -> Answerability | None:
        """None where there are no signs to judge by. Raises IndexUnavailable."""
        judgement = answerability_of(question, found, self.plan, self.services)
        return judgement and replace(judgement, standing=self._standing(judgement))

    def _standing(self, judgement: Answerability) -> ConfidenceLevel | None:
        if self.calibration and (self.calibrated or not self.usual):
            return self.calibration.confidence.standing(judgement.score, only_sure=self.only_sure)
        if not self.usual:
            return None
        near = judgement.signs.cosine >= self.fixed > -1  # among a handful of entries the other signs tell little
        return ConfidenceLevel.POSSIBLE if near or judgement.score >= self.usual.confidence else ConfidenceLevel.REFUSED


def judge_for(
    school: str, services: CollectionServices, plan: RetrievalPlan, style: AnswerStyle, least: float | None = None
) -> Judge:
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
