"""Where in its books a lecture is: it moves on from its last place and sometimes jumps; windows' hits are reordered by that.

Forward filtering of a hidden Markov model (Rabiner 1989, "A Tutorial on Hidden Markov Models", III.A), live. The hidden state
is a paragraph; observed are the scores of the paragraphs that a window found. Two models compete, that the lecture follows its
books and that every window is independent; their weights follow their predictions (Herbster & Warmuth 1998, "Tracking the Best
Expert"), so a lecturer who jumps is not held back. Results: docs/quality.md.

Whether the lecture speaks of its books at all is a second hidden state: many windows of any talk come close to some paragraph
by chance, but none comes very close. So a window has citations only after and while some windows do."""

import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import count, groupby
from math import inf
from threading import Lock
from uuid import UUID

import numpy as np
from cachetools import LRUCache
from numpy.typing import NDArray

from chapterverse.core.book import ChunkId
from chapterverse.core.errors import CatalogUnavailable, NotFound
from chapterverse.core.hits import Hit
from chapterverse.lectures.model import LectureCitation, LectureSession, Window

Place = tuple[str, int]
"""A version and the number of a paragraph in it, from 0."""

Shares = Mapping[str, NDArray[np.float64]]
"""A probability for each paragraph of each version; their sum over all versions is 1."""

WIDTH = 5.0  # paragraphs over which the probability of the next place falls to 1/e, in both directions; 3 to 8 differ little
JUMPS = 0.05  # share of windows at which a lecture that follows its books jumps; 0.02 to 0.1 differ little
SWITCHES = 0.02  # weight that the two models exchange before each window; 0.005 to 0.1 differ little
SCALE = 0.06  # difference in score that makes a paragraph e times as likely; 0.05 to 0.07 differ little
FITTED = "all-MiniLM-L6-v2"  # the embedding model to whose scores all of these are fitted
MIN_ABOUT = 0.6  # probability that the lecture speaks of its books from which it is cited
CLEAR = 0.7  # score on the scale of min_score that windows of other talk hardly reach, for MiniLM
CLEAR_ODDS, FAR_ODDS = 5.0, 0.7  # of windows that reach it, and that are not close at all
TURNS = 0.01  # share of windows at which it turns to its books, or away from them
_REACH = round(4 * WIDTH)  # paragraphs; beyond it the probability is negligible
_STEPS = np.exp(-np.abs(np.arange(-_REACH, _REACH + 1)) / WIDTH)


@dataclass(frozen=True, slots=True)
class Running:
    """State after the windows so far. shares: its place if the lecture follows its books; follows: probability of that.
    about: probability that it speaks of its books at all; at first just above MIN_ABOUT, for one window."""

    shares: Shares = field(default_factory=dict)
    follows: float = 0.5
    about: float = 0.603


@dataclass(frozen=True, slots=True)
class Followed:
    """Result for one window. order: indices of its hits, likeliest first. confidence: probability in [0, 1] within WIDTH
    paragraphs of the first; 0 without hits. running: state for the next window."""

    order: tuple[int, ...]
    confidence: float
    running: Running


def follow(running: Running, places: Sequence[Place], scores: Sequence[float]) -> Followed:
    """Update the position by one window. scores: by paragraph; a paragraph not listed gets the lowest.

    places: of these paragraphs, each once. A version is as long as the last paragraph found in it so far."""
    if not places:
        return Followed((), 0.0, running)
    likely = _likelihoods(running, places, scores)
    anywhere = _scaled({version: np.ones(len(shares)) for version, shares in likely.items()})
    next_place = _next_places(running, anywhere)
    follows = (1 - SWITCHES) * running.follows + SWITCHES / 2
    predicted, by_chance = _product(next_place, likely), _product(anywhere, likely)
    ahead, alone = follows * _total(predicted), (1 - follows) * _total(by_chance)
    combined = _scaled({version: follows * predicted[version] + (1 - follows) * by_chance[version] for version in likely})
    share = [combined[version][number] for version, number in places]
    order = tuple(np.argsort(-np.array(share), kind="stable").tolist())
    after = Running(_scaled(predicted), ahead / (ahead + alone), running.about)
    version, number = places[order[0]]
    near = combined[version][max(0, number - round(WIDTH)) : number + round(WIDTH) + 1].sum()
    return Followed(order, float(min(1.0, near)), after)


def _likelihoods(running: Running, places: Sequence[Place], scores: Sequence[float]) -> dict[str, NDArray[np.float64]]:
    """Likelihood of each known paragraph, up to a factor."""
    lengths = {version: len(shares) for version, shares in running.shares.items()}
    for version, number in places:
        lengths[version] = max(lengths.get(version, 0), number + 1)
    given = np.exp((np.asarray(scores, np.float64) - max(scores)) / SCALE)
    likely = {version: np.full(length, given.min()) for version, length in lengths.items()}
    for (version, number), one in zip(places, given, strict=True):
        likely[version][number] = one
    return likely


def _next_places(running: Running, anywhere: Shares) -> Shares:
    """Probability of the next place: near the last one, or anywhere after a jump."""
    if not running.shares:
        return anywhere
    near = _scaled({version: _spread(running.shares.get(version), len(shares)) for version, shares in anywhere.items()})
    return {version: (1 - JUMPS) * near[version] + JUMPS * anywhere[version] for version in anywhere}


def _spread(shares: NDArray[np.float64] | None, length: int) -> NDArray[np.float64]:
    """Spread each probability over the paragraphs around; paragraphs that are new have none yet."""
    if shares is None:
        return np.zeros(length)
    known = np.concatenate([shares, np.zeros(length - len(shares))])
    return np.convolve(known, _STEPS)[_REACH : _REACH + length]


def _product(one: Shares, other: Shares) -> dict[str, NDArray[np.float64]]:
    return {version: one[version] * other[version] for version in other}


def _total(shares: Shares) -> float:
    return float(sum(one.sum() for one in shares.values()))


def _scaled(shares: Shares) -> Shares:
    """Scaled to a sum of 1."""
    total = _total(shares)
    return {version: one / total for version, one in shares.items()}


GAP = 5  # windows in a row that may be missing, because they were dropped or have no citation
RECALLED = 20  # last windows with citations that decide the place; earlier ones no longer matter
BELOW = 0.3  # assumed distance in score between citations and hits that were not shown
ABOUT = 0.9  # assumed of windows that have citations
SESSIONS = 1_000  # in memory, with about 8 bytes per paragraph each
log = logging.getLogger(__name__)


@dataclass(frozen=True)
class PositionFilter:
    """A Reorder for live lectures, safe for threads.

    min_score: of the first hit, min_confidence: of Followed; below either, a window is not close to the books. min_about: of
    Running. A window that is not close, or where that is not reached, has no citations. The place of a session is
    in this process's memory. If another process handled more than GAP windows, it is recomputed from `recall`, the session's
    citations in order."""

    min_score: float = 0.35  # cosine and words, for MiniLM and the words' weight of 2 (docs/lectures.md)
    min_confidence: float = 0.4
    recall: Callable[[LectureSession], Sequence[LectureCitation]] = lambda _: ()
    min_about: float = MIN_ABOUT
    _tracked: LRUCache[UUID, "TrackedLecture"] = field(default_factory=lambda: LRUCache(SESSIONS))
    _lock: Lock = field(default_factory=Lock)

    def __call__(self, session: LectureSession, windows: Sequence[Window], hits: list[list[Hit]]) -> list[list[Hit]]:
        """The hits of each window, likeliest first; none for a window below a threshold."""
        with self._lock:
            tracked = self._tracked.get(session.id)
        if windows and windows[0].index > (tracked.last if tracked else 0) + GAP:
            self._recall(session, windows[0].index)
        return [self._cited(session.id, window, its) for window, its in zip(windows, hits, strict=True)]

    def _recall(self, session: LectureSession, index: int) -> None:
        """Recompute the place from the citations of earlier windows."""
        try:
            before = [citation for citation in self.recall(session) if citation.window_index < index]
        except (CatalogUnavailable, NotFound) as error:
            log.warning("lecture without its place", extra={"session": str(session.id), "error": error.code})
            return
        if before:
            running = recalled_position(before)
            with self._lock:
                self._tracked[session.id] = TrackedLecture(before[-1].window_index, running, running)

    def _cited(self, session: UUID, window: Window, hits: Sequence[Hit]) -> list[Hit]:
        """The hits to cite. A repeated window counts once, a late one not at all; the first one starts anew."""
        places, scores = [place_of(hit.record.version, hit.record.id) for hit in hits], [hit.score for hit in hits]
        with self._lock:
            tracked = self._tracked.get(session) if window.index > 0 else None
            before = (tracked.before if window.index == tracked.last else tracked.after) if tracked else Running()
            followed = follow(before, places, scores)
            first = scores[followed.order[0]] if hits else -inf
            is_near = first >= self.min_score and followed.confidence >= self.min_confidence
            odds = FAR_ODDS if not is_near else CLEAR_ODDS if first >= CLEAR else 1.0
            about = (1 - TURNS) * before.about + TURNS * (1 - before.about)
            after = replace(followed.running, about=about * odds / (about * odds + 1 - about))
            if tracked is None or window.index >= tracked.last:
                self._tracked[session] = TrackedLecture(window.index, before, after)
        return [hits[number] for number in followed.order] if is_near and after.about >= self.min_about else []


def recalled_position(citations: Sequence[LectureCitation]) -> Running:
    """State after the last RECALLED windows that have these citations, which are in the order of their windows."""
    running = Running(about=ABOUT)
    of_windows = [list(its) for _, its in groupby(citations, key=lambda citation: citation.window_index)]
    for its in of_windows[-RECALLED:]:
        places = [place_of(citation.version, citation.paragraph) for citation in its]
        scores = [citation.relevance_score for citation in its]
        other_place = next(place for number in count() if (place := (its[0].version, number)) not in places)  # stands for all
        running = follow(running, [*places, other_place], [*scores, min(scores) - BELOW]).running
    return running


@dataclass(frozen=True, slots=True)
class TrackedLecture:
    """A lecture in memory. last: index of its newest window; before, after: state without and with it."""

    last: int
    before: Running
    after: Running


def place_of(version: str, id: ChunkId) -> Place:
    """Place of a paragraph, which its chunk id ends with."""
    return version, int(id.rpartition("-")[2])
