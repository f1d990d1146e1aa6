"""At which score an answer is in the books: questions made of what is there, asked with and without the place they are of.

What a made question shares with its place is a third of its words, in their order: as people ask for something that they hardly
remember. With half of them, answers to people were right less often than was promised (docs/asking.md). So no model is needed,
and no words of anybody who asked."""

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import sqrt
from typing import TypeVar

import numpy as np

from chapterverse.retrieval.terms import terms_of

PRECISION = 0.95  # of ten answers that are shown as sure, nine and a half hold what was asked for
KEPT = 0.95  # share of the questions that are answered which are to be shown something
SHARE = 1 / 3  # of a text's words that say something, in a question made of it
DRAWS = 4  # questions of one text, at most: a small help desk has few texts
NINE_IN_TEN = 1.2816  # the normal distribution's quantile
FEWEST, MOST = 4, 30  # such words in a text that questions are made of

About = TypeVar("About")


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


def question_of(text: str, draw: random.Random, share: float = SHARE) -> str | None:
    """A share of the words that say something, in their order; None where there are too few or too many of them."""
    words = [word for word in text.split() if terms_of(word)]
    if not FEWEST <= len(words) <= MOST:
        return None
    kept = sorted(draw.sample(range(len(words)), max(2, round(share * len(words)))))
    return " ".join(words[place].strip(".,;:!?()\"'“”‘’") for place in kept)


def made_of(sources: Sequence[tuple[str, About]], number: int, draw: random.Random) -> Iterator[tuple[str, About]]:
    """At most so many questions, all different, each with what its text came with; of a text DRAWS at most, and of every text
    one before a second of any."""
    drawn = draw.sample(sources, len(sources))
    made = ((question_of(text, draw), about) for _ in range(DRAWS) for text, about in drawn)
    known = set[str]()
    for question, about in made:
        if len(known) == number:
            return
        if question and question not in known:
            known.add(question)
            yield question, about


def told_at(threshold: float, asked: Sequence[Asked]) -> Told:
    """asked: at least one."""
    shown = [one for one in asked if one.score >= threshold]
    right, strays = sum(one.right for one in shown), sum(one.without >= threshold for one in asked)
    precision = right / (len(shown) + strays) if shown or strays else None
    return Told(threshold, precision, len(shown) / len(asked), 1 - strays / len(asked))


def sure_from(asked: Sequence[Asked], precision: float = PRECISION) -> float | None:
    """The lowest score of a right answer from which on precision is reached, and not by chance; None where it is at none.

    Not by chance: by the lower end of Wilson's interval (1927), which nine in ten samples keep. asked: at least one."""
    enough = (score for score in sorted({one.score for one in asked if one.right}) if _surely(score, asked) >= precision)
    return next(enough, None)


def _surely(least: float, asked: Sequence[Asked]) -> float:
    """The precision at a threshold that there is at least."""
    right = sum(one.right for one in asked if one.score >= least)
    shown = sum(one.score >= least for one in asked) + sum(one.without >= least for one in asked)
    share, spread = right / shown, NINE_IN_TEN**2 / shown
    return (share + spread / 2 - sqrt(spread * (share * (1 - share) + spread / 4))) / (1 + spread)


def maybe_from(asked: Sequence[Asked], kept: float = KEPT) -> float:
    """The score that so many of the right answers reach; 1 where none is right."""
    right = [one.score for one in asked if one.right]
    return float(np.quantile(right, 1 - kept)) if right else 1.0
