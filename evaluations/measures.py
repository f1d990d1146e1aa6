"""Measures of search, with bootstrap intervals."""

from collections.abc import Callable, Sequence

import numpy as np

from chapterverse.evaluation.search import Estimate, Values

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
