"""Whether what was found answers a question: the levels of the score, for every application.

The score is the chance, by the trained reader of answers, that the best sentence or FAQ entry answers; where nothing can be
read, the best cosine. The levels of a chance are ours, those of a cosine the specification's; a calibration that a person
accepted (`chapterverse calibrate`), or of a help desk that cannot be read, replaces them. Accepted calibrations are stored
under {school}/_{collection}/calibration-3-{unit}-{model}.json."""

from dataclasses import dataclass, field, replace

from pydantic import TypeAdapter

from chapterverse.core.errors import NotFound
from chapterverse.core.names import path_part
from chapterverse.library.artefacts import damage_as_loss
from chapterverse.library.services import CollectionServices
from chapterverse.questions.model import Answerability, ConfidenceLevel, Levels
from chapterverse.questions.styles import AnswerStyle


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
    calibrations. near: score from which what comes nearest is shown without an answer, None for `possible`."""

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
    return f"{path_part(school)}/_{services.collection}/calibration-3-{unit}-{path_part(model)}.json"


def _current_name(school: str, services: CollectionServices) -> str:
    return calibration_name(school, services.chunker.unit, services.for_school(school).embedder.model, services)


PASSAGES_READ = Levels(sure=0.80, answers=0.50, near=0.12)
ENTRIES_READ = Levels(sure=0.60, answers=0.60, near=0.08)


@dataclass(frozen=True, slots=True)
class Score:
    """value: in [0, 1]. read: the levels of the chance that it is, None for a cosine."""

    value: float
    read: Levels | None = None


@dataclass(frozen=True, slots=True)
class Judge:
    """Decides whether a question is answered. calibration: accepted by the school, None without one. min_score: score from
    which the school wants answers. style: of the application."""

    style: AnswerStyle
    calibration: Calibration | None = None
    min_score: float | None = None

    def __call__(self, score: Score) -> Answerability:
        """The level of a score."""
        standing = self.scale(score.read).standing(score.value, only_confident=self.style.only_confident and not score.read)
        return Answerability(score.value, standing)

    def scale(self, read: Levels | None) -> Scale:
        """The levels that hold for a chance that is read, or for a cosine."""
        if self.calibration and not (read and self.calibration.automatic):
            scale = self.calibration.confidence
        else:
            levels = read or self.style.cosines
            scale = Scale(confident=levels.sure, possible=levels.answers, metrics=(), near=levels.near)
        return scale.with_min_score(self.min_score, only_confident=False)


def judge_for(school: str, services: CollectionServices, style: AnswerStyle) -> Judge:
    """The judge of a collection. Raises BucketUnavailable, CatalogUnavailable."""
    return Judge(style, accepted(school, services), services.settings_of(school).least(services.collection))
