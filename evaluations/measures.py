"""Measures of search and verdicts, with bootstrap intervals; verdicts on claims are judged by the product's judges."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from chapterverse.citations.model import ClaimPair, Verdict, VerdictKind
from chapterverse.evaluation.search import Estimate, Values, mean_estimate
from evaluations.cases import JudgedSentence

RESAMPLES = 2000  # enough for two stable digits of an interval's ends
LEVEL = 0.95


def auroc(positive: Values, negative: Values) -> float:
    """Chance that a positive score is above a negative one, ties counting half (Hanley & McNeil 1982); both not empty."""
    above = positive[:, None] > negative[None, :]
    level = positive[:, None] == negative[None, :]
    return float(np.mean(above + 0.5 * level))


def auroc_estimate(positive: Values, negative: Values, seed: int = 0) -> Estimate:
    """auroc; each side is resampled by itself, so that no resample lacks one."""
    return _estimate(auroc, [positive, negative], seed)


def balanced_accuracy(*hits: Values) -> float:
    """Mean accuracy of the classes (Brodersen et al. 2010). hits: per class, 1 for right, else 0."""
    return float(np.mean([np.mean(of_class) for of_class in hits]))


def balanced_accuracy_estimate(hits: Sequence[Values], seed: int = 0) -> Estimate:
    """balanced_accuracy of non-empty classes; each class is resampled by itself."""
    return _estimate(balanced_accuracy, hits, seed)


def _estimate(measure: Callable[..., float], samples: Sequence[Values], seed: int) -> Estimate:
    random = np.random.default_rng(seed)
    resampled = [measure(*(random.choice(sample, len(sample)) for sample in samples)) for _ in range(RESAMPLES)]
    return _with_interval(float(measure(*samples)), np.array(resampled), sum(map(len, samples)))


def _with_interval(value: float, resampled: Values, cases: int) -> Estimate:
    """Percentile bootstrap (Efron & Tibshirani 1993, chapter 13)."""
    low, high = np.quantile(resampled, [(1 - LEVEL) / 2, (1 + LEVEL) / 2])
    return Estimate(value, float(low), float(high), cases)


CLAIM_MEASURES = ("balanced_accuracy", "contradiction_recall", "contradiction_precision")
CLASSES = (VerdictKind.SUPPORTS, VerdictKind.CONTRADICTS, VerdictKind.NOT_FOUND)
JudgePairs = Callable[[Sequence[ClaimPair]], list[Verdict]]
Kinds = Sequence[VerdictKind]
Confusion = Mapping[VerdictKind, Mapping[VerdictKind, int]]


@dataclass(frozen=True, slots=True)
class ClaimMetrics:
    """Metrics over three classes, with "partly" counted as "supports". confusion: by true verdict, then by given verdict.
    balanced_accuracy: over the classes that occur. Others are None without a case."""

    balanced_accuracy: Estimate
    contradiction_recall: Estimate | None
    contradiction_precision: Estimate | None
    confusion: Confusion

    @property
    def n(self) -> int:
        """Number of claims."""
        return self.balanced_accuracy.n


def evaluate_claims(cases: Sequence[JudgedSentence], judge: JudgePairs) -> ClaimMetrics:
    """How well `judge` finds the known verdicts. cases: at least one. Raises as `judge`."""
    true = [three(VerdictKind(claim.verdict)) for case in cases for claim in case.claims]
    given = [three(verdict.kind) for verdict in judge([pair for case in cases for pair in claim_pairs(case)])]
    hits = {kind: hits_where(kind, true, given) for kind in CLASSES}
    right = hits_where(VerdictKind.CONTRADICTS, given, true)
    found = hits[VerdictKind.CONTRADICTS]
    return ClaimMetrics(
        balanced_accuracy=balanced_accuracy_estimate([of_class for of_class in hits.values() if len(of_class)]),
        contradiction_recall=mean_estimate(found) if len(found) else None,
        contradiction_precision=mean_estimate(right) if len(right) else None,
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
