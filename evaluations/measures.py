"""Measures, with bootstrap intervals of 95 % (percentiles: Efron & Tibshirani 1993, chapter 13)."""

from collections import defaultdict
from collections.abc import Iterable

import numpy as np

from chapterverse.search.evaluation import Estimate, Values

RESAMPLES = 2000  # enough for two stable digits of an interval's ends
LEVEL = 0.95


def auroc(positive: Values, negative: Values) -> float:
    """Chance that a positive score is above a negative one, ties counting half (Hanley & McNeil 1982); both not empty."""
    above = positive[:, None] > negative[None, :]
    level = positive[:, None] == negative[None, :]
    return float(np.mean(above + 0.5 * level))


def auroc_estimate(positive: Values, negative: Values, seed: int = 0) -> Estimate:
    """auroc; each side is resampled by itself, so that no resample lacks one."""
    random = np.random.default_rng(seed)
    resampled = [auroc(*(random.choice(side, len(side)) for side in (positive, negative))) for _ in range(RESAMPLES)]
    return _with_interval(auroc(positive, negative), np.array(resampled), len(positive) + len(negative))


def grouped_estimate(told: Iterable[tuple[str, float]], seed: int = 7) -> Estimate:
    """The mean of what is told of members of groups, not empty: whole groups are resampled, as their members are alike."""
    groups = defaultdict[str, list[float]](list)
    for group, value in told:
        groups[group].append(float(value))
    sums, counts = (np.array([measure(its) for its in groups.values()]) for measure in (sum, len))
    picks = np.random.default_rng(seed).integers(len(sums), size=(RESAMPLES, len(sums)))
    return _with_interval(float(sums.sum() / counts.sum()), sums[picks].sum(1) / counts[picks].sum(1), int(counts.sum()))


def _with_interval(value: float, resampled: Values, cases: int) -> Estimate:
    low, high = np.quantile(resampled, [(1 - LEVEL) / 2, (1 + LEVEL) / 2])
    return Estimate(value, float(low), float(high), cases)
