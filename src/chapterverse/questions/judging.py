"""Whether the found chunks answer the question, for every application.

One score cannot tell: an unanswerable question is close to many texts on its topic. A logistic regression over several signals
gives a score (`answerable`). The threshold of that score is taken from the first of these that exists: the calibration accepted
by the school, the default threshold of the embedding model, the specification.

A calibration (`chapterverse calibrate`) asks questions made from the school's own texts, each with and without the passage it
was made from. A made question shares a third of its words with its passage, in order; with half, precision on real questions
was lower than promised (docs/quality.md). Accepted calibrations are stored under
{school}/_{collection}/calibration-2-{unit}-{model}.json."""

from collections.abc import Mapping, Sequence
from dataclasses import astuple, dataclass, field, replace
from math import log

from pydantic import TypeAdapter

from chapterverse.core.errors import NotFound
from chapterverse.core.names import path_part
from chapterverse.core.words import covered, distinct_terms
from chapterverse.library.artefacts import damage_as_loss
from chapterverse.library.services import CollectionServices
from chapterverse.questions.answer_types import has_answer_type
from chapterverse.questions.model import Answerability, ConfidenceLevel, Signals
from chapterverse.questions.styles import AnswerStyle
from chapterverse.questions.units import ScoredUnit, chance_of
from chapterverse.search.chunks import FoundChunk
from chapterverse.search.plan import DEFAULT_THRESHOLDS, DefaultThresholds, RetrievalPlan
from chapterverse.search.rerank import logistic


@dataclass(frozen=True, slots=True)
class CalibrationQuestion:
    """A made question, asked twice. score: of the best chunk. right: whether the chunks found include its passage. without: the
    best score if the chunks with its passage are left out."""

    score: float
    right: bool
    without: float


@dataclass(frozen=True, slots=True)
class ThresholdMetrics:
    """Effect of a threshold if half of the questions are unanswerable. precision: share of the shown answers that are right,
    None if nothing is shown. shown: share of the answerable questions with an answer. silent: share of the unanswerable
    questions without one."""

    threshold: float
    precision: float | None
    shown: float
    silent: float


@dataclass(frozen=True, slots=True)
class Scale:
    """Thresholds of one score. confident: lowest score at which 95 of 100 answers are right, None without one. possible: score
    that 95 of 100 right answers reach. metrics: of both thresholds and of those requested. questions: empty in old
    calibrations. near: score from which what comes nearest is shown without an answer, None for `possible`. Aliases are the
    stored names."""

    confident: float | None
    possible: float
    metrics: tuple[ThresholdMetrics, ...]
    questions: tuple[CalibrationQuestion, ...] = ()
    near: float | None = None

    def threshold(self, *, only_confident: bool) -> float:
        """The score below which there is no answer."""
        return self.confident if only_confident and self.confident is not None else self.possible

    def with_min_score(self, min_score: float | None, *, only_confident: bool) -> "Scale":
        """A copy that answers from `min_score` on; None for no change."""
        if min_score is None:
            return self
        confident = min_score if only_confident else self.confident and max(self.confident, min_score)
        return replace(self, possible=min_score, confident=confident, near=min(self._near_from, min_score))

    def standing(self, score: float, *, only_confident: bool) -> ConfidenceLevel:
        """The level of a score. only_confident: POSSIBLE becomes NEAR, if CONFIDENT can be reached at all."""
        if self.confident is not None and score >= self.confident:
            return ConfidenceLevel.CONFIDENT
        if score >= self.threshold(only_confident=only_confident):
            return ConfidenceLevel.POSSIBLE
        return ConfidenceLevel.NEAR if score >= self._near_from else ConfidenceLevel.REFUSED

    @property
    def _near_from(self) -> float:
        return self.possible if self.near is None else self.near


@dataclass(frozen=True, slots=True)
class Calibration:
    """questions: number of questions asked. cosine: scale of the nearest chunk's cosine; confidence: scale of `answerable`.
    automatic: measured and accepted without a person, who may still accept another. own: confidence from which a help desk
    answers without a person's choice, None without entries."""

    model: str
    unit: str
    questions: int
    cosine: Scale
    confidence: Scale
    automatic: bool = field(default=False, compare=False)
    own: float | None = None


CALIBRATION = TypeAdapter(Calibration)


def accept(school: str, calibration: Calibration, services: CollectionServices) -> None:
    """Use the calibration for this collection from now on. Raises BucketUnavailable."""
    name = calibration_name(school, calibration.unit, calibration.model, services)
    services.bucket.write(name, CALIBRATION.dump_json(calibration))


def accepted(school: str, services: CollectionServices) -> Calibration | None:
    """The accepted calibration for the current unit and embedding model; None without one. Raises BucketUnavailable."""
    try:
        data = services.bucket.read(_current_name(school, services))
        with damage_as_loss():
            return CALIBRATION.validate_json(data)
    except NotFound:
        return None


def forget_accepted(school: str, services: CollectionServices) -> None:
    """Delete the accepted calibration of this collection. Raises BucketUnavailable."""
    services.bucket.delete(_current_name(school, services))


def calibration_name(school: str, unit: str, model: str, services: CollectionServices) -> str:
    """Object name of an accepted calibration. No book's name begins with an underscore."""
    return f"{path_part(school)}/_{services.collection}/calibration-2-{unit}-{path_part(model)}.json"


def _current_name(school: str, services: CollectionServices) -> str:
    return calibration_name(school, services.chunker.unit, services.for_school(school).embedder.model, services)


READ_SHARE = 0.1  # of the threshold; from there on a language model reads what would be refused without one
SAME_QUESTION = 0.8  # cosine of a question and the same in other words; of two on one topic it is less


@dataclass(frozen=True, slots=True)
class ChunkSignals:
    """A found chunk. score: by which chunks are ordered. nearest: cosine of its nearest sentence."""

    score: float
    cosine: float
    text: str
    sentences: Sequence[str]
    nearest: float


@dataclass(frozen=True, slots=True)
class Weights:
    """A logistic regression: weight of each signal, and intercept."""

    of: Signals
    base: float


# Both fitted on question sets with unanswerable questions, by `make eval-ask-signs`; docs/quality.md has their quality on
# other documents.
WEIGHTS_OF_TEXTS = Weights(
    Signals(cosine=2.4, sentence=1.93, score=-1.1, lead=0.55, three=-0.04, at_once=1.12, typed=0.44, rarity=-0.16, asked=-0.07),
    base=-2.02,
)

WEIGHTS_OF_ENTRIES = Weights(
    Signals(cosine=6.97, sentence=3.18, score=5.79, lead=5.25, three=0.76, at_once=0.47, typed=0.11, rarity=0.23, asked=1.16),
    base=-15.67,
)


def signals_of(question: str, found: Sequence[ChunkSignals], rarities: Mapping[str, float]) -> Signals:
    """found: best first, at least one; three for the weights above. rarities: of the question's terms (LexicalIndex)."""
    terms = distinct_terms(question)
    weight = sum(rarities[term] for term in terms)
    return Signals(
        cosine=max(one.cosine for one in found),
        sentence=max(one.nearest for one in found),
        score=found[0].score,
        lead=found[0].score - found[-1].score,
        three=covered(terms, rarities, " ".join(one.text for one in found)),
        at_once=max((covered(terms, rarities, text) for one in found for text in one.sentences), default=0.0),
        typed=float(has_answer_type(question, found[0].text)),
        rarity=weight / max(len(terms), 1),
        asked=log(1 + weight),
    )


def answerable(signals: Signals, weights: Weights) -> float:
    """A score in [0, 1]; higher is likelier. It orders questions; a calibration tells its precision on a school's texts."""
    logit = weights.base + sum(weight * signal for weight, signal in zip(astuple(weights.of), astuple(signals), strict=True))
    return logistic(logit)


def answerability_of(
    question: str, found: Sequence[FoundChunk], plan: RetrievalPlan, services: CollectionServices
) -> Answerability | None:
    """Judge by the first plan.judged chunks. None if nothing was found, the plan judges none, or the collection has no word
    index. Raises IndexUnavailable."""
    read = sorted(found, key=lambda one: -one.ordered_by)[: plan.judged]
    if not read or services.words is None:
        return None
    rarities = services.words.rarities(read[0].book.key.partition, distinct_terms(question))
    weights = WEIGHTS_OF_ENTRIES if read[0].chunk.question else WEIGHTS_OF_TEXTS
    signals = signals_of(question, [_signals_of_chunk(one) for one in read], rarities)
    return Answerability(answerable(signals, weights), signals)


def _signals_of_chunk(found: FoundChunk) -> ChunkSignals:
    sentences = [passage.sentence.text for passage in found.passages]
    return ChunkSignals(found.ordered_by, found.score, found.chunk.text, sentences, found.nearest)


@dataclass(frozen=True)
class Judge:
    """Decides whether a question is answered. calibration: accepted by the school, None without one. only_confident: no
    answers below CONFIDENT. fixed: minimum cosine of a source by the operator or the specification, used if neither the
    calibration nor the defaults apply. defaults: of the embedding model. least: score from which the school wants answers."""

    plan: RetrievalPlan
    services: CollectionServices
    calibration: Calibration | None
    only_confident: bool
    fixed: float = -1.0
    defaults: DefaultThresholds | None = None
    least: float | None = None

    @property
    def calibrated(self) -> bool:
        """Whether the calibration applies; not if only confident answers are given and no score is confident."""
        return self.calibration is not None and not (self.only_confident and self.calibration.confidence.confident is None)

    @property
    def min_score(self) -> float:
        """Minimum cosine of a source."""
        if self.calibration and self.calibrated and not (self.calibration.automatic and self.defaults):
            return self.calibration.cosine.possible  # of an automatic one, made questions are nearer than people's
        return self.defaults.cosine if self.defaults else self.fixed

    def __call__(self, question: str, found: Sequence[FoundChunk], chance: float | None = None) -> Answerability | None:
        """None if there are no signals (answerability_of). chance: that the best unit or entry answers, None if none was read;
        a calibration that a person accepted is of the signals alone. Raises IndexUnavailable."""
        judgement = answerability_of(question, found, self.plan, self.services)
        if judgement is None:
            return None
        read = chance if self.defaults and not self._by_persons_calibration else None
        score = judgement.score if read is None else read
        if (scale := self._scale(of_entries=bool(found[0].chunk.question), is_read=read is not None)) is None:
            return replace(judgement, score=score)
        only_confident = self.only_confident and self._by_calibration and read is None
        standing, least = scale.standing(score, only_confident=only_confident), scale.threshold(only_confident=only_confident)
        is_same = not self._by_calibration and read is None and judgement.signs.cosine >= SAME_QUESTION
        if is_same and not standing.answers:  # with few entries the other signals are weak
            standing = ConfidenceLevel.POSSIBLE
        return replace(judgement, score=score, standing=standing, worth_reading=score >= READ_SHARE * least)

    def sure_of(self, judgement: Answerability, units: Sequence[ScoredUnit]) -> Answerability:
        """The judgement of an answer that is given; without a school's calibration it needs no reservation if the best unit
        very likely answers, whatever its section is about as a whole. units: best first."""
        if self._by_calibration or not self.defaults or not units or judgement.standing is not ConfidenceLevel.POSSIBLE:
            return judgement
        is_sure = chance_of(units[0]) >= self.defaults.units.sure
        return replace(judgement, standing=ConfidenceLevel.CONFIDENT) if is_sure else judgement

    @property
    def _by_calibration(self) -> bool:
        return self.calibration is not None and (self.calibrated or not self.defaults)

    @property
    def _by_persons_calibration(self) -> bool:
        return self._by_calibration and self.calibration is not None and not self.calibration.automatic

    def _scale(self, *, of_entries: bool, is_read: bool) -> Scale | None:
        """The levels of the score; None without a calibration and defaults. is_read: it is a chance of units or entries."""
        if self.defaults and is_read:
            levels = self.defaults.entries if of_entries else self.defaults.units
            read = Scale(confident=levels.sure, possible=levels.answers, metrics=(), near=levels.near)
            return read.with_min_score(self.least, only_confident=False)
        if self.calibration and self._by_calibration:
            return self.calibration.confidence
        if self.defaults is None:
            return None
        least = self.defaults.confidence
        near = READ_SHARE * least if self.only_confident else None  # three titles cost a student less than a wrong refusal
        return Scale(confident=self.defaults.sure, possible=least, metrics=(), near=near)


def judge_for(
    school: str, services: CollectionServices, plan: RetrievalPlan, style: AnswerStyle, min_score: float | None = None
) -> Judge:
    """The judge of a collection. min_score: cosine set by the operator, None for the defaults of the embedding model.

    Raises BucketUnavailable, CatalogUnavailable."""
    least = services.settings_of(school).least(services.collection)
    if calibration := accepted(school, services):
        confidence = calibration.confidence.with_min_score(least, only_confident=style.only_confident)
        calibration = replace(calibration, confidence=confidence)
    if min_score is not None:
        return Judge(plan, services, calibration, style.only_confident, min_score)
    defaults = DEFAULT_THRESHOLDS.get(services.for_school(school).embedder.model)
    return Judge(plan, services, calibration, style.only_confident, style.min_score, defaults, least)
