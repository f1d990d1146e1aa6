"""Measures of search and verdicts, with bootstrap intervals."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

RESAMPLES = 2000  # enough for two stable digits of an interval's ends
LEVEL = 0.95
Values = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Figure:
    """A measured value. low, high: its 95 % bootstrap interval. n: number of cases."""

    value: float
    low: float
    high: float
    n: int


def recall_at(k: int, ranks: Sequence[int | None]) -> Values:
    """1 for each case whose sentence is among the first k, else 0. ranks: from 1, None if not found."""
    return np.array([rank is not None and rank <= k for rank in ranks], np.float64)


def reciprocal_ranks(ranks: Sequence[int | None]) -> Values:
    """1/rank of each case, 0 if not found; their mean is MRR (Voorhees 1999, TREC-8 question answering)."""
    return np.array([1 / rank if rank else 0.0 for rank in ranks], np.float64)


def auroc(positive: Values, negative: Values) -> float:
    """Chance that a positive score is above a negative one, ties counting half (Hanley & McNeil 1982); both not empty."""
    above = positive[:, None] > negative[None, :]
    level = positive[:, None] == negative[None, :]
    return float(np.mean(above + 0.5 * level))


def mean_figure(values: Values, seed: int = 0) -> Figure:
    """The mean of at least one value."""
    return _figure(lambda drawn: float(np.mean(drawn)), [values], seed)


def auroc_figure(positive: Values, negative: Values, seed: int = 0) -> Figure:
    """auroc; each side is resampled by itself, so that no resample lacks one."""
    return _figure(auroc, [positive, negative], seed)


def balanced_accuracy(*hits: Values) -> float:
    """Mean accuracy of the classes (Brodersen et al. 2010). hits: per class, 1 for right, else 0."""
    return float(np.mean([np.mean(of_class) for of_class in hits]))


def balanced_accuracy_figure(hits: Sequence[Values], seed: int = 0) -> Figure:
    """balanced_accuracy of non-empty classes; each class is resampled by itself."""
    return _figure(balanced_accuracy, hits, seed)


def _figure(measure: Callable[..., float], samples: Sequence[Values], seed: int) -> Figure:
    """Percentile bootstrap (Efron & Tibshirani 1993, chapter 13)."""
    random = np.random.default_rng(seed)
    resampled = [measure(*(random.choice(sample, len(sample)) for sample in samples)) for _ in range(RESAMPLES)]
    low, high = np.quantile(resampled, [(1 - LEVEL) / 2, (1 + LEVEL) / 2])
    return Figure(float(measure(*samples)), float(low), float(high), sum(map(len, samples)))


def rounded(figure: Figure | None) -> float | None:
    """The value to four digits; None without a figure."""
    return round(figure.value, 4) if figure else None
