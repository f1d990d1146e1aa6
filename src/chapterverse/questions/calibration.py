"""At which score an answer is in the books: questions made of what is there, asked with and without the place they are of.

What a made question shares with its place is a third of its words, in their order: as people ask for something that they hardly
remember. With half of them, answers to people were right less often than was promised (docs/quality.md). So no model is needed,
and no words of anybody who asked.

`chapterverse calibrate`: the scores from which answers of one collection are sure, or may be there, by its own texts.

Kept where it was accepted: {school}/_{collection}/calibration-2-{unit}-{model}.json, one for each unit and each model."""

from dataclasses import dataclass, replace

from pydantic import TypeAdapter

from chapterverse.core.errors import NotFound
from chapterverse.core.names import path_part
from chapterverse.library.artefacts import damage_as_loss
from chapterverse.library.services import Services
from chapterverse.questions.model import Standing


@dataclass(frozen=True, slots=True)
class Asked:
    """One question, asked twice. score: of the best chunk; right: whether that chunk holds what the question was made of;
    without: the best score where every chunk that holds it is left out."""

    score: float
    right: bool
    without: float


@dataclass(frozen=True, slots=True)
class Told:
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
    told: tuple[Told, ...]
    asked: tuple[Asked, ...] = ()

    def answered_from(self, *, only_sure: bool) -> float:
        """The score below which it refuses."""
        return self.sure if only_sure and self.sure is not None else self.maybe

    def from_score(self, least: float | None, *, only_sure: bool) -> "Scale":
        """The same for a school that wants answers from that score on; None: as it was measured."""
        if least is None:
            return self
        sure = least if only_sure else self.sure and max(self.sure, least)
        return replace(self, maybe=least, sure=sure)

    def standing(self, score: float, *, only_sure: bool) -> Standing:
        """only_sure: what is not sure is refused, where any score is sure at all."""
        if self.sure is not None and score >= self.sure:
            return Standing.SURE
        return Standing.REFUSED if score < self.maybe or (only_sure and self.sure is not None) else Standing.POSSIBLE


@dataclass(frozen=True, slots=True)
class Calibration:
    """questions: that were made. cosine: of the nearest chunk; confidence: that it answers at all, by more than one sign
    (usecases/answerable.py)."""

    model: str
    unit: str
    questions: int
    cosine: Scale
    confidence: Scale


CALIBRATION = TypeAdapter(Calibration)


def accept(school: str, calibration: Calibration, services: Services) -> None:
    """From now on answers of this collection go by it. Raises BucketUnavailable."""
    name = calibration_name(school, calibration.unit, calibration.model, services)
    services.bucket.write(name, CALIBRATION.dump_json(calibration))


def accepted(school: str, services: Services) -> Calibration | None:
    """What was accepted for the texts as they are cut and embedded now; None where nothing was."""
    of_school = services.for_school(school)
    try:
        data = services.bucket.read(calibration_name(school, services.chunker.unit, of_school.embedder.model, services))
        with damage_as_loss():
            return CALIBRATION.validate_json(data)
    except NotFound:
        return None


def calibration_name(school: str, unit: str, model: str, services: Services) -> str:
    """Where it is kept. No book's name begins so."""
    return f"{path_part(school)}/_{services.collection}/calibration-2-{unit}-{path_part(model)}.json"


def forget_accepted(school: str, services: Services) -> None:
    """Answers of this collection go by the specification's thresholds again. Raises BucketUnavailable."""
    model = services.for_school(school).embedder.model
    services.bucket.delete(calibration_name(school, services.chunker.unit, model, services))
