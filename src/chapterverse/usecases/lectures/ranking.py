"""What of the candidates of windows is shown, and with which score."""

import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import accumulate
from math import exp
from time import monotonic

import numpy as np

from chapterverse.model import Hit, Vectors
from chapterverse.ports import Reranker
from chapterverse.usecases.lectures.desk import LectureDesk

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Ranked:
    """A paragraph that is shown. score: in [0, 1]."""

    hit: Hit
    score: float


def relevant(hits: Sequence[Sequence[Hit]], vectors: Vectors, least: float) -> list[Sequence[Hit]]:
    """Of each window its candidates, none where the nearest of them is farther than `least` (S3, "Distance-Based Early Exit").

    vectors: (w, d), unit norm, a row a window. least: a cosine; of unit vectors the squared L2 distance, which is Chroma's
    "l2", is 2 - 2 × cosine, so that 1.5 is a cosine of 0.25."""
    return [its if its and max(cosines(its, vector)) >= least else () for its, vector in zip(hits, vectors, strict=True)]


def cosines(hits: Sequence[Hit], vector: Vectors) -> list[float]:
    """Of each with the window's vector, (d,); whatever they were ordered by."""
    return [float(np.clip(hit.vector @ vector, -1.0, 1.0)) for hit in hits]


def ranked(
    said: Sequence[str],
    vectors: Vectors,
    hits: Sequence[Sequence[Hit]],
    text_of: Callable[[Hit], str],
    desk: LectureDesk,
) -> list[list[Ranked]]:
    """Of each window the best figures.citations: as the re-ranker orders them, all windows' in one call, and with its logit
    through the logistic function as the score, which is what sentence-transformers makes of the one label of a cross-encoder
    (sbert.net, "MS MARCO Cross-Encoders": activation_fn=torch.nn.Sigmoid()).

    Without a re-ranker, and where it fails or has no time left, as they were found, the score their cosine, none below 0, or
    that of one shown after it where that is more: who sorts by score has the order by rank."""
    told = _logits(said, hits, text_of, desk)
    shown = []
    for its, vector, logits in zip(hits, vectors, told, strict=True):
        best = _as_found(its[: desk.figures.citations], vector) if logits is None else _by_logit(its, logits)
        shown.append(best[: desk.figures.citations])
    return shown


def _as_found(hits: Sequence[Hit], vector: Vectors) -> list[Ranked]:
    """What comes before another has no lower score, whatever they were ordered by."""
    scores = list(accumulate(reversed([max(0.0, cosine) for cosine in cosines(hits, vector)]), max))
    return [Ranked(hit, score) for hit, score in zip(hits, reversed(scores), strict=True)]


def _by_logit(hits: Sequence[Hit], logits: Sequence[float]) -> list[Ranked]:
    judged = [Ranked(hit, logistic(logit)) for hit, logit in zip(hits, logits, strict=True)]
    return sorted(judged, key=lambda each: -each.score)


def logistic(logit: float) -> float:
    """In [0, 1]."""
    return 1 / (1 + exp(-logit)) if logit >= 0 else exp(logit) / (1 + exp(logit))


def _logits(
    said: Sequence[str], hits: Sequence[Sequence[Hit]], text_of: Callable[[Hit], str], desk: LectureDesk
) -> list[list[float] | None]:
    """Of each window's candidates, None where not all are there."""
    if desk.services.reranker is None:
        return [None] * len(hits)
    pairs = [(text, text_of(hit)) for text, its in zip(said, hits, strict=True) for hit in its]
    scores = iter(judged(pairs, desk.services.reranker, desk.plan.rerank_seconds))
    return [_all_or_none([next(scores) for _ in its]) for its in hits]


def judged(pairs: Sequence[tuple[str, str]], reranker: Reranker, seconds: float) -> list[float | None]:
    """As the re-ranker says within so many seconds; all None where it fails, whatever its library raises (S3, "Re-ranker
    error"): a line in the log tells."""
    try:
        return reranker.scores(pairs, monotonic() + seconds)
    except Exception as error:
        log.warning("windows not re-ranked", extra={"error": type(error).__name__, "pairs": len(pairs)})
        return [None] * len(pairs)


def _all_or_none(scores: Sequence[float | None]) -> list[float] | None:
    known = [score for score in scores if score is not None]
    return known if len(known) == len(scores) else None
