"""What citing beside a lecture stands on.

How long each stage of a look-up takes."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from time import perf_counter

from chapterverse.core.book import Collection
from chapterverse.core.hits import Hit
from chapterverse.core.ports import TaskQueue
from chapterverse.essays.history import utc_now
from chapterverse.lectures.model import EnrichedQuery, LectureSession, StageTimes, Window
from chapterverse.lectures.ports import LectureStore
from chapterverse.library.model import VersionKey
from chapterverse.library.services import Services
from chapterverse.questions.helpdesk import LEAST_DAYS
from chapterverse.search.plan import LECTURE, RetrievalPlan

Enrich = Callable[[Sequence[str], Sequence[VersionKey], Services], list[EnrichedQuery]]

"""Texts of windows to what is looked up for them; the books beside the lecture, and services whose embedder theirs is."""

Reorder = Callable[[LectureSession, Sequence[Window], list[list[Hit]]], list[list[Hit]]]

"""Of each window, in their order, what was found, in another order: by where in the books the professor is."""


def as_said(texts: Sequence[str], _books: Sequence[VersionKey], _services: Services) -> list[EnrichedQuery]:
    """Enrich without keywords."""
    return [EnrichedQuery(text) for text in texts]


def as_found(_session: LectureSession, _windows: Sequence[Window], hits: list[list[Hit]]) -> list[list[Hit]]:
    """Reorder nothing."""
    return hits


@dataclass(frozen=True, slots=True)
class LectureFigures:
    """candidates: of a window, that are re-ranked; citations: of them, that are shown; least: cosine of the nearest paragraph,
    below which there are none; snippet_least, snippet_most: characters; days: that a session is kept; batch_chunks: chunks of
    one task of indexing. S3's figures."""

    candidates: int = 5
    citations: int = 3
    least: float = 0.25  # a squared L2 distance of 1.5 (S3, Early Exit)
    snippet_least: int = 100
    snippet_most: int = 200
    days: int = 30
    batch_chunks: int = 512


@dataclass(frozen=True)
class LectureDesk:
    """services: those of the lectures' collection, with the re-ranker of lectures, if there is one; shelves: those of every
    collection whose books can be attached, the lectures' among them; queue: where books are cut meanwhile."""

    services: Services
    shelves: Mapping[Collection, Services]
    store: LectureStore
    queue: TaskQueue
    figures: LectureFigures = field(default_factory=LectureFigures)
    plan: RetrievalPlan = LECTURE
    enrich: Enrich = as_said
    reorder: Reorder = as_found
    now: Callable[[], datetime] = utc_now

    @property
    def since(self) -> datetime:
        """Sessions begun before are shown to nobody any more, deleted already or not."""
        return self.now() - timedelta(days=max(self.figures.days, LEAST_DAYS))

    def of_shelf(self, shelf: Collection) -> Services:
        """The same services for the books of that shelf, cut as the lectures' are."""
        its = self.shelves[shelf]
        return replace(self.services, catalog=its.catalog, collection=shelf)


@dataclass
class Stopwatch:
    """stage: the one that is timed now, or was last."""

    began: float = field(default_factory=perf_counter)
    stage: str = "books"
    _spent: dict[str, float] = field(default_factory=dict)

    @contextmanager
    def timing(self, stage: str) -> Iterator[None]:
        """What the block takes counts to the stage, also where it fails."""
        self.stage, start = stage, perf_counter()
        try:
            yield
        finally:
            self._spent[stage] = self._spent.get(stage, 0.0) + 1000 * (perf_counter() - start)

    @property
    def total(self) -> float:
        """Milliseconds since it began."""
        return 1000 * (perf_counter() - self.began)

    @property
    def stages(self) -> StageTimes:
        """Milliseconds of each."""
        return StageTimes(**{name: self._spent.get(name, 0.0) for name in ("keywords", "embed", "search", "rerank")})
