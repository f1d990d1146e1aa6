"""Evaluation of verdicts on citations: claims whose verdict is known, judged as the product judges them."""

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

JudgeAll = Callable[[Sequence[ClaimPair]], list[Verdict]]

Kinds = Sequence[VerdictKind]

Confusion = Mapping[VerdictKind, Mapping[VerdictKind, int]]


@dataclass(frozen=True, slots=True)
class ClaimFigures:
    """Over three classes: "partly" counts as "supports". confusion: by the true verdict, then by the one given.

    A figure is None where there is nothing to take it over; balanced_accuracy is over the classes that there are."""

    balanced_accuracy: Figure
    contradiction_recall: Figure | None
    contradiction_precision: Figure | None
    confusion: Confusion

    def summary(self) -> dict[str, Any]:
        """What `evaluate --json` prints: values to four digits, null without a case; n is the number of claims."""
        named = {name: rounded(getattr(self, name)) for name in CLAIM_MEASURES}
        return {**named, "confusion": self.confusion, "n": self.balanced_accuracy.n}


def evaluate_claims(cases: Sequence[JudgedSentence], judge: JudgeAll) -> ClaimFigures:
    """Of at least one case. Raises as `judge` does."""
    true = [three(VerdictKind(claim.verdict)) for case in cases for claim in case.claims]
    given = [three(verdict.kind) for verdict in judge([pair for case in cases for pair in claim_pairs(case)])]
    hits = {kind: hits_where(kind, true, given) for kind in CLASSES}
    right = hits_where(VerdictKind.CONTRADICTS, given, true)
    found = hits[VerdictKind.CONTRADICTS]
    return ClaimFigures(
        balanced_accuracy=balanced_accuracy_figure([its for its in hits.values() if len(its)]),
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
    """The class it counts as."""
    return VerdictKind.SUPPORTS if kind is VerdictKind.PARTLY else kind


def hits_where(kind: VerdictKind, these: Kinds, those: Kinds) -> Values:
    """Over the cases where these are of that kind: 1 where those are, too, else 0."""
    return np.array([other is kind for one, other in zip(these, those, strict=True) if one is kind], np.float64)


def confusion(true: Kinds, given: Kinds) -> Confusion:
    """How often each was taken for each."""
    counted = Counter(zip(true, given, strict=True))
    return {one: {other: counted[one, other] for other in CLASSES} for one in CLASSES}
