"""Where in its books a lecture is: it moves on from its last place and sometimes jumps; windows' hits are reordered by that.

Forward filtering of a hidden Markov model (Rabiner 1989, "A Tutorial on Hidden Markov Models", III.A), live. The hidden state
is a paragraph; observed are the scores of the paragraphs that a window found. Two models compete, that the lecture follows its
books and that every window is independent; their weights follow their predictions (Herbster & Warmuth 1998, "Tracking the Best
Expert"), so a lecturer who jumps is not held back. Results: docs/quality.md."""

import logging
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import count, groupby
from threading import Lock
from uuid import UUID

import numpy as np
from numpy.typing import NDArray

from chapterverse.core.book import ChunkId
from chapterverse.core.errors import CatalogUnavailable, NotFound
from chapterverse.core.hits import Hit
from chapterverse.lectures.model import LectureCitation, LectureSession, Window

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


GAP = 5  # windows that are dropped, or have no citation, now and then

RECALLED = 20  # windows with citations; where they have led, those before them say nothing of any more

BELOW = 0.3  # of score, that what was not shown is taken to have had below what was

SESSIONS = 1_000  # that are remembered, of each about 8 bytes a paragraph

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class PositionFilter:
    """A Reorder for live lectures, safe for threads.

    least: score of the first hit below which a window has no citation; sure: minimum Followed.sure. The place of a session is
    in this process's memory; of a session that was elsewhere for more than GAP windows it is recomputed from `recall`, its
    citations in order."""

    least: float = 0.42  # cosine and words, for MiniLM and the words' weight of 2 (docs/lectures.md)
    sure: float = 0.2
    recall: Callable[[LectureSession], Sequence[LectureCitation]] = lambda _: ()
    _heard: OrderedDict[UUID, "TrackedLecture"] = field(default_factory=OrderedDict)
    _lock: Lock = field(default_factory=Lock)

    def __call__(self, session: LectureSession, windows: Sequence[Window], hits: list[list[Hit]]) -> list[list[Hit]]:
        """hits: of each window, in their order; all that is left of them, likeliest first."""
        if windows and self._has_been_elsewhere(session.id, windows[0].index):
            self._go_on(session, windows[0].index)
        return [self._kept(self.followed(session.id, window, its), its) for window, its in zip(windows, hits, strict=True)]

    def _has_been_elsewhere(self, session: UUID, index: int) -> bool:
        with self._lock:
            heard = self._heard.get(session)
        return index > (heard.last if heard else 0) + GAP

    def _go_on(self, session: LectureSession, index: int) -> None:
        """From what its windows before that one have found."""
        try:
            before = [citation for citation in self.recall(session) if citation.window_index < index]
        except (CatalogUnavailable, NotFound) as error:
            log.warning("lecture without its place", extra={"session": str(session.id), "error": error.code})
            return
        if before:
            running = followed_again(before)
            with self._lock:
                self._heard[session.id] = TrackedLecture(before[-1].window_index, running, running)

    def followed(self, session: UUID, window: Window, hits: Sequence[Hit]) -> Followed:
        """A window that comes again counts once, and one that comes too late not at all; the first begins anew."""
        with self._lock:
            heard = self._heard.get(session) if window.index > 0 else None
            before = heard.until(window.index) if heard else Running()
            followed = follow(before, [place_of(hit) for hit in hits], [hit.score for hit in hits])
            if heard is None or window.index >= heard.last:
                self._heard[session] = TrackedLecture(window.index, before, followed.running)
            self._heard.move_to_end(session)
            while len(self._heard) > SESSIONS:
                self._heard.popitem(last=False)
        return followed

    def _kept(self, followed: Followed, hits: Sequence[Hit]) -> list[Hit]:
        ordered = [hits[number] for number in followed.order]
        return ordered if ordered and ordered[0].score >= self.least and followed.sure >= self.sure else []


def followed_again(citations: Sequence[LectureCitation]) -> Running:
    """Where windows lead that had these citations, in the order of their windows; the last RECALLED of them."""
    running = Running()
    of_windows = [list(its) for _, its in groupby(citations, key=lambda citation: citation.window_index)]
    for its in of_windows[-RECALLED:]:
        places = [place_of_chunk(citation.version, citation.chunk_id) for citation in its]
        scores = [citation.relevance_score for citation in its]
        running = follow(running, [*places, _elsewhere(places)], [*scores, min(scores) - BELOW]).running
    return running


def _elsewhere(places: Sequence[Place]) -> Place:
    """One that stands for all that was found there and not shown."""
    version = places[0][0]
    return next((version, number) for number in count() if (version, number) not in places)


@dataclass(frozen=True, slots=True)
class TrackedLecture:
    """last: the newest window of a session; before: what those before it say, after: with it."""

    last: int
    before: Running
    after: Running

    def until(self, index: int) -> Running:
        """What is known when that window comes."""
        return self.before if index == self.last else self.after


def place_of(hit: Hit) -> Place:
    """Of a paragraph that was found."""
    return place_of_chunk(hit.record.version, hit.record.id)


def place_of_chunk(version: str, id: ChunkId) -> Place:
    """From a chunk's id (ingestion/chunks/chunker.py)."""
    return version, int(id.rpartition("-")[2])
