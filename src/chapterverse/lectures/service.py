"""Lecture sessions: attached books, incoming segments, a pool of threads that searches windows, and results for listeners.

A session names books and holds none: the newest version of each is searched, and a book attached to many sessions is indexed
once. The windowing's state is stored with the session, so another process can continue it. A request that adds segments waits
for nothing else, except up to `hold` seconds on platforms that pause a process between requests."""

import logging
from bisect import bisect_right
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from datetime import timedelta
from functools import cached_property, partial
from math import inf
from operator import itemgetter
from threading import Condition, Event, Lock, Semaphore, Thread
from time import monotonic
from uuid import UUID, uuid4

from chapterverse.assignments.service import JOIN_LENGTH, plain_code, random_code
from chapterverse.core.book import BookId
from chapterverse.core.errors import BadRequest, NotFound
from chapterverse.core.names import one_line
from chapterverse.lectures import model
from chapterverse.lectures.citing import LectureContext, document_id, store_results
from chapterverse.lectures.store import LectureNews, SqlLectures
from chapterverse.lectures.windows import Stream
from chapterverse.library.model import VersionState

log = logging.getLogger(__name__)
DROPPED, BROKEN = "dropped", "broken"  # WindowResult.failed of a window that was not searched

Search = Callable[[model.LectureSession, Sequence[model.Window]], Sequence[model.WindowResult]]
"""A result for each of some windows of one lecture. Raises nothing of ours."""

Deliver = Callable[[model.WindowResult], None]
Waiting = tuple[model.Window, Deliver]


@dataclass(eq=False)
class _Line:
    """Waiting windows of one lecture, of which some may be searched now; dropped: not reported yet."""

    session: model.LectureSession
    waiting: deque[Waiting] = field(default_factory=deque)
    dropped: list[Waiting] = field(default_factory=list)


class WindowPool:
    """Searches windows on threads, which start with the first window.

    workers: lectures searched at the same time; windows of one lecture in order, because its place depends on the previous
    windows. batch: windows of a lecture searched together. max_waiting: windows of all lectures; beyond it the lecture with the
    longest line loses its oldest window."""

    def __init__(self, search: Search, *, workers: int = 2, batch: int = 8, max_waiting: int = 1024) -> None:
        self._search, self._batch, self._max_waiting = search, batch, max_waiting
        self._lines: dict[UUID, _Line] = {}
        self._threads = ThreadPoolExecutor(workers, "windows")
        self._changed = Condition()

    def submit(self, session: model.LectureSession, windows: Sequence[model.Window], deliver: Deliver) -> None:
        """Queue windows and return at once. Each result is delivered on a thread of the pool, in order for a lecture; errors of
        deliver are logged."""
        with self._changed:
            if not windows:
                return
            is_new = session.id not in self._lines
            line = self._lines.setdefault(session.id, _Line(session))
            line.session = session  # which may have other books by now
            line.waiting.extend((window, deliver) for window in windows)
            while sum(len(line.waiting) for line in self._lines.values()) > self._max_waiting:
                longest = max(self._lines.values(), key=lambda line: len(line.waiting))
                longest.dropped.append(longest.waiting.popleft())
            if is_new:
                self._threads.submit(self._work, line)

    def wait_until_idle(self, seconds: float) -> bool:
        """Whether everything was delivered within that time."""
        with self._changed:
            return self._changed.wait_for(lambda: not self._lines, seconds)

    def _work(self, line: _Line) -> None:
        """Search a lecture's next windows; what is left waits behind other lectures."""
        with self._changed:
            dropped, line.dropped = line.dropped, []
            waiting = [line.waiting.popleft() for _ in range(min(self._batch, len(line.waiting)))]
        _deliver(dropped, [model.WindowResult(window, failed=DROPPED) for window, _ in dropped])
        _deliver(waiting, self._searched(line.session, [window for window, _ in waiting]))
        with self._changed:
            if not (line.waiting or line.dropped):
                del self._lines[line.session.id]
            else:
                self._threads.submit(self._work, line)
            self._changed.notify_all()

    def _searched(self, session: model.LectureSession, windows: Sequence[model.Window]) -> Sequence[model.WindowResult]:
        try:
            return self._search(session, windows) if windows else ()
        except Exception:  # a bug; the lecture goes on
            log.exception("Windows were not searched.", extra={"windows": len(windows)})
            return [model.WindowResult(window, failed=BROKEN) for window in windows]


def _deliver(waiting: Sequence[Waiting], results: Sequence[model.WindowResult]) -> None:
    for (_, deliver), result in zip(waiting, results, strict=True):
        try:
            deliver(result)
        except Exception:  # the next receiver still gets its result
            log.exception("A result was not delivered.")


MAX_BOOKS = 100  # of one lecture
QUIET = timedelta(minutes=30)  # without a window, after which a lecture that nobody has ended does not count as running
POLL_SECONDS = 0.5  # between two looks
FORGOTTEN_SECONDS = 60.0  # after which a lecture that nobody asks for is looked at no more


def begin_session(
    school: str,
    books: Sequence[BookId],
    context: LectureContext,
    by: str | None = None,
    *,
    details: model.LectureDetails | None = None,
) -> model.LectureSession:
    """A new session with these books. by: see LectureSession.begun_by. Raises BadRequest beyond MAX_BOOKS,
    CatalogUnavailable."""
    session = model.LectureSession(uuid4(), school, context.now(), begun_by=by)
    wanted = _decided(_with(session, books), details or model.LectureDetails())
    context.store.begin(wanted)
    return wanted


def find_session(school: str, id: UUID, context: LectureContext) -> model.LectureSession:
    """The session. Raises NotFound, also once it is too old, CatalogUnavailable."""
    session = context.store.find(school, id)
    if session.created < context.since:
        raise NotFound("no_such_session")
    return session


def find_shared(school: str, code: str, context: LectureContext) -> model.LectureSession:
    """The session that is shared by that code, however it was typed. Raises NotFound, CatalogUnavailable."""
    session = context.store.with_code(school, plain_code(code))
    if session.created < context.since:
        raise NotFound("no_such_lecture_code")
    return session


def is_running(session: model.LectureSession, context: LectureContext) -> bool:
    """Whether somebody may still speak."""
    return not session.ended and context.now() < (session.received or session.created) + QUIET


def decide(
    school: str, id: UUID, details: model.LectureDetails, context: LectureContext, books: Sequence[BookId] | None = None
) -> model.LectureSession:
    """Change what the speaker decides, and the books, unless they are None; citations stay. Raises as
    begin_session and find_session."""
    find_session(school, id, context)
    return context.store.change(school, id, lambda was: _decided(was if books is None else _with(was, books), details))


def _decided(session: model.LectureSession, details: model.LectureDetails) -> model.LectureSession:
    is_shared = session.code is not None if details.shared is None else details.shared
    code = (session.code or random_code(JOIN_LENGTH)) if is_shared else None
    decided = details.model_copy(update={"name": one_line(details.name), "shared": is_shared})
    return replace(session, decided=decided, code=code)


def resolve(school: str, name: str, context: LectureContext) -> BookId:
    """A book by its id, or by its UUID in citations. Raises NotFound, CatalogUnavailable."""
    for book in context.services.catalog.books(school):
        if name in {book.id, str(document_id(school, book.id))}:
            return book.id
    raise NotFound("no_such_document", name=name)


def find_citation(school: str, id: UUID, context: LectureContext) -> tuple[model.LectureCitation, str]:
    """A citation and its whole paragraph; only the snippet if the book was removed or replaced.

    Raises NotFound, CatalogUnavailable, BucketUnavailable."""
    citation = context.store.get_by_id(school, id)
    find_session(school, citation.session_id, context)
    try:
        book = context.services.catalog.book(school, citation.document)
        key = next(each.key for each in book.versions if citation.paragraph.startswith(f"{each.key.version}-{each.key.unit}-"))
        return citation, context.services.chunks_of(key).chunk(citation.paragraph).text
    except (NotFound, StopIteration):
        return citation, citation.snippet


def _with(session: model.LectureSession, books: Sequence[BookId]) -> model.LectureSession:
    each_once = tuple(dict.fromkeys(books))
    if len(each_once) > MAX_BOOKS:
        raise BadRequest("too_many_documents_attached", max_documents=MAX_BOOKS)
    return replace(session, books=each_once)


def state_of(school: str, id: BookId, context: LectureContext) -> model.SessionDocument:
    """State of an attached book. Raises CatalogUnavailable."""
    document = partial(model.SessionDocument, document_id=document_id(school, id), document=id)
    book = context.services.catalog.find(school, id)
    if book is None:
        return document(document_name=id, state="gone")
    newest = book.newest
    if book.active or newest is None:
        return document(document_name=book.title, state="ready" if book.active else "waiting")
    state = "failed" if newest.state is VersionState.FAILED else "waiting"
    return document(document_name=book.title, state=state, progress=newest.progress, message=newest.message)


@dataclass
class _Followed:
    """A lecture that somebody follows, and when somebody last asked."""

    news: LectureNews
    asked: float


@dataclass
class Listeners:
    """The results that listeners of this process wait for; safe for threads. They share its looks at the catalogue: at most one
    each POLL_SECONDS for all lectures together, so that any number of processes can find and show results."""

    store: SqlLectures
    clock: Callable[[], float] = monotonic
    _followed: dict[UUID, _Followed] = field(default_factory=dict)
    _lock: Lock = field(default_factory=Lock)
    _polled: float = float("-inf")

    def since(self, session: UUID, after: int) -> LectureNews:
        """Results of a lecture with a higher number, as of the last look. Raises CatalogUnavailable."""
        with self._lock:
            now = self.clock()
            followed = self._followed.get(session)
            if followed is None or followed.news.after > after:
                followed = _Followed(LectureNews([], after, ended=False), now)
                self._look({session: followed})
                self._followed.setdefault(session, followed)
            followed.asked = now
            if now >= self._polled + POLL_SECONDS:
                self._polled = now
                self._followed = {id: each for id, each in self._followed.items() if each.asked > now - FORGOTTEN_SECONDS}
                self._look(self._followed)
            results = followed.news.results
            return LectureNews(results[bisect_right(results, after, key=itemgetter(0)) :], after, followed.news.ended)

    def _look(self, chosen: Mapping[UUID, _Followed]) -> None:
        for id, news in self.store.news({id: each.news.last for id, each in chosen.items()}).items():
            before = chosen[id].news
            if news.results or news.ended != before.ended:
                chosen[id].news = LectureNews([*before.results, *news.results], before.after, news.ended)


@dataclass(frozen=True)
class LiveLectures:
    """Lectures that are being held. hold: seconds that a request waits for its windows' results; 0 if threads run on
    between requests. warm: set when the models begin to load."""

    context: LectureContext
    pool: WindowPool
    hold: float = 0.0
    warm: Event = field(default_factory=Event)

    @cached_property
    def listeners(self) -> Listeners:
        return Listeners(self.context.store)


def warm_up(listening: LiveLectures) -> None:
    """Load the models on a thread, once per process, so that the first window need not wait."""
    if not listening.warm.is_set():
        listening.warm.set()
        Thread(target=load_models, args=(listening.context,), name="warm-up", daemon=True).start()


def load_models(context: LectureContext) -> Exception | None:
    """Load the models now. A failure is logged and returned; the first window tries again."""
    try:
        context.services.embedder.embed_queries(["ready"])
        if context.services.reranker:
            context.services.reranker.scores([("ready", "ready")], inf)
    except Exception as error:  # what a re-ranker raises has no base of its own
        log.warning("models of lectures not loaded", extra={"error": getattr(error, "code", type(error).__name__)})
        return error
    return None


def found_since(school: str, id: UUID, after: int, listening: LiveLectures) -> LectureNews:
    """Results with a higher number. Raises NotFound, CatalogUnavailable."""
    find_session(school, id, listening.context)
    news = listening.context.store.news({id: after}).get(id)
    if news is None:  # it was removed a moment ago
        raise NotFound("no_such_session")
    return news


def go_on(school: str, id: UUID, step: Callable[[Stream], list[model.Window]], listening: LiveLectures) -> list[model.Window]:
    """Add segments or end the speech by `step`; returns the windows that it completes, which are searched in the background.
    Raises NotFound, CatalogUnavailable."""
    session = find_session(school, id, listening.context)
    windows = listening.context.store.change_stream(school, id, step)
    left, until = Semaphore(0), monotonic() + listening.hold

    def deliver(result: model.WindowResult) -> None:
        if result.failed in {DROPPED, BROKEN}:  # the search has not stored it
            store_results(session, [result], listening.context)
        left.release()

    listening.pool.submit(session, windows, deliver)
    for _ in windows:
        left.acquire(timeout=max(0.0, until - monotonic()))
    return windows
