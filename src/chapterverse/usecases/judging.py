"""Whether a question is answered from what was found at all, in every application the same way: where a school has accepted a
calibration of its own texts, by that, from the score on that it has set; else by what is measured for the embedding model
(retrieval/usual.py), or by the thresholds of the specification."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from chapterverse.retrieval.answerable import Judgement, Standing
from chapterverse.retrieval.plan import RetrievalPlan
from chapterverse.retrieval.usual import USUAL, Usual
from chapterverse.usecases.answerable import judgement_on
from chapterverse.usecases.answers.style import AnswerStyle
from chapterverse.usecases.calibration import Calibration, accepted
from chapterverse.usecases.chunk_evidence import FoundChunk
from chapterverse.usecases.school_choices import choices_of
from chapterverse.usecases.services import Services


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
    usual: Usual | None = None

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
    usual = USUAL.get(services.for_school(school).embedder.model)
    return Judge(plan, services, calibration, style.only_sure, style.least, usual)
