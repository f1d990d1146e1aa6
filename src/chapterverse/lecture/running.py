"""Where in its books a lecture is: it goes on near where it was, and sometimes jumps.

Forward filtering of a hidden Markov model (Rabiner 1989, "A Tutorial on Hidden Markov Models", III.A), live: nothing is known
of what comes. The hidden state is a paragraph; what is seen are the scores of those that a window found. Two accounts of the
lecture compete, that it follows its books and that every window stands for itself, and share their weight as they foretell the
windows (Herbster & Warmuth 1998, "Tracking the Best Expert"): who jumps is not made to stay. Figures: docs/lectures.md."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

Place = tuple[str, int]
"""A version and the number of a paragraph in it, from 0."""

Shares = Mapping[str, NDArray[np.float64]]
"""Of each version, a share for each of its paragraphs; all of them together are 1."""

WIDTH = 5.0  # paragraphs in which the share of a next place falls to 1/e, on and back; from 3 to 8 little changes
JUMPS = 0.05  # of windows of a lecture that follows its books; from 0.02 to 0.1 little changes
SWITCHES = 0.02  # how much weight the two accounts exchange before each window, likewise from 0.005 to 0.1
SCALE = 0.06  # by so much of score one paragraph is e times as likely as another; from 0.05 to 0.07 little changes
_REACH = round(4 * WIDTH)  # beyond it nothing is left to speak of
_STEPS = np.exp(-np.abs(np.arange(-_REACH, _REACH + 1)) / WIDTH)


@dataclass(frozen=True, slots=True)
class Running:
    """What the windows so far say. shares: where the lecture is, if it follows its books; follows: how likely it does."""

    shares: Shares = field(default_factory=dict)
    follows: float = 0.5


@dataclass(frozen=True, slots=True)
class Followed:
    """order: numbers of what a window found, likeliest first. sure: the share in [0, 1] of all that is likely which lies within
    WIDTH paragraphs of the first; 0 where nothing was found. running: for the next window."""

    order: tuple[int, ...]
    sure: float
    running: Running


def follow(running: Running, places: Sequence[Place], scores: Sequence[float]) -> Followed:
    """One window more. scores: of the paragraphs found at these places, each once; of paragraphs not found the least of them is
    taken. A version is as long as any window has found it to be."""
    if not places:
        return Followed((), 0.0, running)
    likely = _likelihoods(running, places, scores)
    anywhere = _alike(likely)
    next_place = _next_places(running, anywhere)
    follows = (1 - SWITCHES) * running.follows + SWITCHES / 2
    foretold, by_chance = _product(next_place, likely), _product(anywhere, likely)
    ahead, alone = follows * _total(foretold), (1 - follows) * _total(by_chance)
    now = _scaled({version: follows * foretold[version] + (1 - follows) * by_chance[version] for version in likely})
    share = [now[version][number] for version, number in places]
    order = tuple(np.argsort(-np.array(share), kind="stable").tolist())
    return Followed(order, _near(now, places[order[0]]), Running(_scaled(foretold), ahead / (ahead + alone)))


def _likelihoods(running: Running, places: Sequence[Place], scores: Sequence[float]) -> dict[str, NDArray[np.float64]]:
    """Of every paragraph known of, up to a factor."""
    lengths = {version: len(shares) for version, shares in running.shares.items()}
    for version, number in places:
        lengths[version] = max(lengths.get(version, 0), number + 1)
    given = np.exp((np.asarray(scores, np.float64) - max(scores)) / SCALE)
    likely = {version: np.full(length, given.min()) for version, length in lengths.items()}
    for (version, number), one in zip(places, given, strict=True):
        likely[version][number] = one
    return likely


def _alike(like: Shares) -> Shares:
    """Every paragraph the same share."""
    return _scaled({version: np.ones(len(shares)) for version, shares in like.items()})


def _next_places(running: Running, anywhere: Shares) -> Shares:
    """Near where it was, or after a jump."""
    if not running.shares:
        return anywhere
    near = _scaled({version: _spread(running.shares.get(version), len(shares)) for version, shares in anywhere.items()})
    return {version: (1 - JUMPS) * near[version] + JUMPS * anywhere[version] for version in anywhere}


def _spread(shares: NDArray[np.float64] | None, length: int) -> NDArray[np.float64]:
    """To the paragraphs around each; a version that is new, or longer now, has no share yet."""
    if shares is None:
        return np.zeros(length)
    known = np.concatenate([shares, np.zeros(length - len(shares))])
    return np.convolve(known, _STEPS)[_REACH : _REACH + length]


def _product(one: Shares, other: Shares) -> dict[str, NDArray[np.float64]]:
    return {version: one[version] * other[version] for version in other}


def _total(shares: Shares) -> float:
    return float(sum(one.sum() for one in shares.values()))


def _scaled(shares: Shares) -> Shares:
    """To a sum of 1."""
    total = _total(shares)
    return {version: one / total for version, one in shares.items()}


def _near(shares: Shares, place: Place) -> float:
    version, number = place
    reach = round(WIDTH)
    return float(min(1.0, shares[version][max(0, number - reach) : number + reach + 1].sum()))
