"""Evaluation of verdicts on citations: claims with known verdicts, judged by the product's judges."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from chapterverse.citations.model import ClaimPair, Verdict, VerdictKind
from chapterverse.evaluation.cases import JudgedSentence
from chapterverse.evaluation.measures import Figure, Values, balanced_accuracy_figure, mean_figure, rounded

CLAIM_MEASURES = ("balanced_accuracy", "contradiction_recall", "contradiction_precision")
CLASSES = (VerdictKind.SUPPORTS, VerdictKind.CONTRADICTS, VerdictKind.NOT_FOUND)
JudgePairs = Callable[[Sequence[ClaimPair]], list[Verdict]]
Kinds = Sequence[VerdictKind]
Confusion = Mapping[VerdictKind, Mapping[VerdictKind, int]]


@dataclass(frozen=True, slots=True)
class ClaimMetrics:
    """Metrics over three classes, with "partly" counted as "supports". confusion: by true verdict, then by given verdict.
    balanced_accuracy: over the classes that occur. Others are None without a case."""

    balanced_accuracy: Figure
    contradiction_recall: Figure | None
    contradiction_precision: Figure | None
    confusion: Confusion

    def summary(self) -> dict[str, Any]:
        """For `evaluate --json`: values to four digits, null without a case. n: number of claims."""
        named = {name: rounded(getattr(self, name)) for name in CLAIM_MEASURES}
        return {**named, "confusion": self.confusion, "n": self.balanced_accuracy.n}


def evaluate_claims(cases: Sequence[JudgedSentence], judge: JudgePairs) -> ClaimMetrics:
    """How well `judge` finds the known verdicts. cases: at least one. Raises as `judge`."""
    true = [three(VerdictKind(claim.verdict)) for case in cases for claim in case.claims]
    given = [three(verdict.kind) for verdict in judge([pair for case in cases for pair in claim_pairs(case)])]
    hits = {kind: hits_where(kind, true, given) for kind in CLASSES}
    right = hits_where(VerdictKind.CONTRADICTS, given, true)
    found = hits[VerdictKind.CONTRADICTS]
    return ClaimMetrics(
        balanced_accuracy=balanced_accuracy_figure([of_class for of_class in hits.values() if len(of_class)]),
        contradiction_recall=mean_figure(found) if len(found) else None,
        contradiction_precision=mean_figure(right) if len(right) else None,
        confusion=confusion(true, given),
    )


def claim_pairs(case: JudgedSentence) -> Iterator[ClaimPair]:
    """Each claim with the sentence; the file name serves as the title."""
    title = case.book.replace("-", " ").title()
    for claim in case.claims:
        yield ClaimPair(claim.text, case.sentence, case.previous or "", case.next or "", title)


def three(kind: VerdictKind) -> VerdictKind:
    """The class of a verdict: partly becomes supports."""
    return VerdictKind.SUPPORTS if kind is VerdictKind.PARTLY else kind


def hits_where(kind: VerdictKind, these: Kinds, those: Kinds) -> Values:
    """Compare pairs: for each of `these` that is of that kind, 1 if its partner in `those` is too, else 0."""
    return np.array([other is kind for one, other in zip(these, those, strict=True) if one is kind], np.float64)


def confusion(true: Kinds, given: Kinds) -> Confusion:
    """How often each true verdict got each verdict."""
    counted = Counter(zip(true, given, strict=True))
    return {one: {other: counted[one, other] for other in CLASSES} for one in CLASSES}
