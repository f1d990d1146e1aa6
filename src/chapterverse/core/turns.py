"""The processor's share of each school: all requests of a process take turns on it, so costly ones of one school would slow
those of the others.

While several schools are here, one costly piece of work of each is done at a time; and a school with more of it lets those with
less go first, wherever its work can pause. Background work, such as indexing books, stands behind all
other work of its school."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from threading import Condition, Lock, local
from time import monotonic
from typing import TypeVar

from bookreader.worker import SECONDS_A_STEP
from chapterverse.core.errors import Overloaded

HERE_SECONDS = 60.0  # that a school counts as here after its last work
WAIT_SECONDS = 20.0  # that a piece of work waits to begin, at most
PATIENCE = 5.0  # seconds that a piece of work lets others go first
SHARE = 20.0  # further seconds that it does so, for each second that it works: nobody waits for ever
POLITE, POLITEST = 2, 19  # niceness of a process that reads a file: at first, and of a school that had much of the processor
RETRY_SECONDS = 2


_HERE = local()  # the turn of the request that this thread answers


def turn_here() -> "RequestTurn | None":
    """The turn of the school whose work this thread does; None without one."""
    return getattr(_HERE, "turn", None)


def let_pass() -> None:
    """Let schools with less work go first, if this thread does a piece of work of a school."""
    if turn := turn_here():
        turn.pause()


def at_work() -> float:
    """monotonic() without the seconds in which this thread's piece of work let others go first; deadlines are told by it."""
    return monotonic() - (turn.waited if (turn := turn_here()) else 0.0)


Item = TypeVar("Item")


def pausing(items: Iterable[Item]) -> Iterator[Item]:
    """The items; before each, schools with less work go first."""
    for item in items:
        let_pass()
        yield item


class Turns:
    """Which school may work."""

    def __init__(self) -> None:
        self._wanted = Counter[str]()  # pieces of work that wait or are done, by school
        self._behind = Counter[str]()  # of these, those in the background
        self._doing = Counter[str]()
        self._seen: dict[str, float] = {}
        self._fewest = 0  # pieces of the school that goes first
        self._lock = Lock()
        self._lets_pass = Condition(self._lock)
        self._begins = defaultdict[str, Condition](lambda: Condition(self._lock))

    def of(self, school: str) -> "RequestTurn":
        """The turn of one request of the school."""
        return RequestTurn(self, school)

    @contextmanager
    def taken(self, school: str, behind: bool = False, at_once: bool = False) -> Iterator[None]:
        """The block is another piece of work of the school, which waits until it may begin; one in the background (behind), and
        one that goes on while others are done (at_once), do not wait. Raises Overloaded."""
        waits = not (behind or at_once)
        with self._lock:
            self._behind[school] += behind
            self._count(school, 1)
            if waits and not self._begins[school].wait_for(lambda: self._may_begin(school), WAIT_SECONDS):
                self._count(school, -1)
                raise Overloaded("overloaded", max_requests=1, retry_after=RETRY_SECONDS)
            self._doing[school] += waits
        try:
            yield
        finally:
            with self._lock:
                self._behind[school] -= behind
                self._doing[school] -= waits
                self._count(school, -1)
                self._begins[school].notify()

    def let_pass(self, school: str, seconds: float, behind: bool = False) -> float:
        """Wait while work is here that goes before that of the school, at most so many seconds; returns how many it waited.
        behind: the school's work is in the background."""
        if self.is_next(school, behind):
            return 0.0
        began = monotonic()
        with self._lock:
            self._lets_pass.wait_for(lambda: self.is_next(school, behind), seconds)
        return monotonic() - began

    def is_next(self, school: str, behind: bool) -> bool:
        """Whether no work is here that goes before that of the school."""
        return self._fewest >= self._wanted[school] - (0 if behind else self._behind[school])

    def _count(self, school: str, more: int) -> None:
        self._seen[school] = monotonic()
        self._wanted[school] += more
        counts = ((all_, self._behind[each]) for each, all_ in self._wanted.items() if all_)
        before, self._fewest = self._fewest, min(((all_ - behind) or behind for all_, behind in counts), default=0)
        if more < 0 or self._fewest > before:  # nothing else lets anybody go on
            self._lets_pass.notify_all()

    def _may_begin(self, school: str) -> bool:
        others = (when for other, when in self._seen.items() if other != school)
        return not self._doing[school] or all(monotonic() - when > HERE_SECONDS for when in others)


class RequestTurn:
    """The turn of one request; it is not to be taken while the request waits for a language model. waited: seconds in which it
    let others go first."""

    def __init__(self, turns: Turns, school: str) -> None:
        self._turns, self._school, self._began, self.waited, self._is_behind = turns, school, monotonic(), 0.0, False
        self._waits_since: float | None = None

    @contextmanager
    def taken(self, behind: bool = False, at_once: bool = False) -> Iterator[None]:
        """The block is a piece of work of the school, as in Turns.taken."""
        with self._turns.taken(self._school, behind, at_once):
            self._is_behind, self._began, self.waited, _HERE.turn = behind, monotonic(), 0.0, self
            try:
                yield
            finally:
                _HERE.turn = None

    def pause(self) -> None:
        """Let schools with less work go first."""
        if (left := self._left()) > 0:
            self.waited += self._turns.let_pass(self._school, left, self._is_behind)

    def goes_on(self) -> bool:
        """Whether its work goes on now, for who asks again and again: between answers of no, it lets others go first."""
        now = monotonic()
        self.waited += now - (self._waits_since or now)
        goes_on = self._turns.is_next(self._school, self._is_behind) or self._left() <= 0
        self._waits_since = None if goes_on else now
        return goes_on

    def gives_up(self) -> None:
        """What goes_on was asked for is not to be done any more."""
        self._waits_since = None

    def _left(self) -> float:
        """Seconds that it has yet to wait for others at most."""
        worked = monotonic() - self._began - self.waited
        return PATIENCE + SHARE * worked - self.waited


class LateWork:
    """How nice the processes of each school are: the more of the last minutes they took, the nicer."""

    def __init__(self, clock: Callable[[], float] = monotonic) -> None:
        self._clock, self._took, self._lock = clock, dict[str, tuple[float, float]](), Lock()

    def niceness(self, school: str) -> int:
        """Of a process that begins now."""
        with self._lock:
            return min(POLITEST, POLITE + int(self._lately(school) / SECONDS_A_STEP))

    @contextmanager
    def counted(self, school: str) -> Iterator[None]:
        """The block's time is the school's."""
        began = self._clock()
        try:
            yield
        finally:
            with self._lock:
                self._took[school] = self._lately(school) + self._clock() - began, self._clock()

    def _lately(self, school: str) -> float:
        """Seconds that it took, half of which are forgotten every HERE_SECONDS."""
        seconds, when = self._took.get(school, (0.0, 0.0))
        return float(seconds * 0.5 ** ((self._clock() - when) / HERE_SECONDS))
