"""Whether a question is answered from what was found at all, in every application the same way: where a school has accepted a
calibration of its own texts, by that, from the score on that it has set; else by the thresholds of the specification."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from chapterverse.retrieval.answerable import Judgement
from chapterverse.retrieval.plan import RetrievalPlan
from chapterverse.usecases.answerable import judgement_on
from chapterverse.usecases.answers.style import AnswerStyle
from chapterverse.usecases.calibration import Calibration, accepted
from chapterverse.usecases.chunk_evidence import FoundChunk
from chapterverse.usecases.school_choices import choices_of
from chapterverse.usecases.services import Services


@dataclass(frozen=True)
class Judge:
    """calibration: what the school has accepted for this collection, None for nothing. only_sure: whether what is not sure is
    refused, too."""

    plan: RetrievalPlan
    services: Services
    calibration: Calibration | None
    only_sure: bool

    def least(self, seeds: float) -> float:
        """The cosine from which a chunk may be a source; seeds: as the specification has it, which holds also where only what
        is sure is answered and no score is sure."""
        if self.calibration is None or (self.only_sure and self.calibration.confidence.sure is None):
            return seeds
        return self.calibration.cosine.maybe

    def __call__(self, question: str, found: Sequence[FoundChunk]) -> Judgement | None:
        """None where there are no signs to judge by. Raises IndexUnavailable."""
        judgement = judgement_on(question, found, self.plan, self.services)
        if judgement is None or self.calibration is None:
            return judgement
        return replace(judgement, standing=self.calibration.confidence.standing(judgement.score, only_sure=self.only_sure))


def judge_for(school: str, services: Services, plan: RetrievalPlan, style: AnswerStyle) -> Judge:
    """services: those of the collection. Raises BucketUnavailable, CatalogUnavailable."""
    if calibration := accepted(school, services):
        least = choices_of(school, services).least(services.collection)
        confidence = calibration.confidence.from_score(least, only_sure=style.only_sure)
        calibration = replace(calibration, confidence=confidence)
    return Judge(plan, services, calibration, style.only_sure)
