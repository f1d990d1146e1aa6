"""At which score an answer is in the books: questions made of what is there, asked with and without the place they are of.

What a made question shares with its place is half of its words, in their order: as people ask for something that they half
remember. So no model is needed, and no words of anybody who asked."""

import random
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from chapterverse.retrieval.terms import terms_of

PRECISION = 0.95  # of ten answers that are shown as sure, nine and a half hold what was asked for
KEPT = 0.95  # share of the questions that are answered which are to be shown something
SHARE = 0.5  # of a text's words that say something, in a question made of it
FEWEST, MOST = 4, 30  # such words in a text that questions are made of


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


def question_of(text: str, draw: random.Random) -> str | None:
    """Half of the words that say something, in their order; None where there are too few or too many of them."""
    words = [word for word in text.split() if terms_of(word)]
    if not FEWEST <= len(words) <= MOST:
        return None
    kept = sorted(draw.sample(range(len(words)), max(2, round(SHARE * len(words)))))
    return " ".join(words[place].strip(".,;:!?()\"'“”‘’") for place in kept)


def told_at(threshold: float, asked: Sequence[Asked]) -> Told:
    """asked: at least one."""
    shown = [one for one in asked if one.score >= threshold]
    right, strays = sum(one.right for one in shown), sum(one.without >= threshold for one in asked)
    precision = right / (len(shown) + strays) if shown or strays else None
    return Told(threshold, precision, len(shown) / len(asked), 1 - strays / len(asked))


def sure_from(asked: Sequence[Asked], precision: float = PRECISION) -> float | None:
    """The lowest score of a right answer from which on precision is reached, there and at every higher one; None where it is at
    none. asked: at least one."""
    sure = None
    for score in sorted({one.score for one in asked if one.right}, reverse=True):
        if (told_at(score, asked).precision or 0.0) < precision:
            break
        sure = score
    return sure


def maybe_from(asked: Sequence[Asked], kept: float = KEPT) -> float:
    """The score that so many of the right answers reach; 1 where none is right."""
    right = [one.score for one in asked if one.right]
    return float(np.quantile(right, 1 - kept)) if right else 1.0
