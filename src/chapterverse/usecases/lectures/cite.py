"""Windows of a lecture to the pages of its books that bear on them (S3, "Pipeline Architecture").

Nothing holds a lecture up: what is away is asked once more, then there are no citations, and a line in the log without
anybody's words."""

import logging
from collections.abc import Sequence
from dataclasses import dataclass
from math import inf

from chapterverse.errors import CatalogUnavailable, ChapterverseError, NotFound, RetryableError
from chapterverse.model import Citation, EnrichedQuery, Hit, LectureSession, Query, QueryKind, Vectors, Window, WindowResult
from chapterverse.retrieval.queries import EmbeddedQueries
from chapterverse.retrieval.retrieve import Shelf, best_candidates
from chapterverse.usecases.lectures.desk import LectureDesk, as_said
from chapterverse.usecases.lectures.opened import Opened, open_attached
from chapterverse.usecases.lectures.ranking import judged, ranked, relevant
from chapterverse.usecases.lectures.shown import Shown
from chapterverse.usecases.lectures.stopwatch import Stopwatch
from chapterverse.usecases.services import Services

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Cited:
    """What was looked up for a window, and what was found."""

    query: EnrichedQuery
    citations: tuple[Citation, ...]


def cite_windows(session: LectureSession, windows: Sequence[Window], desk: LectureDesk) -> list[WindowResult]:
    """A result for each window, in their order; one call of the embedder for their queries, one of the index, one of the
    re-ranker, and the citations are kept. Where no book is attached and ready, none is made.

    Raises nothing of ours: of what was away WindowResult.failed tells the stage."""
    watch = Stopwatch()
    try:
        cited = _cited(session, windows, desk, watch)
    except ChapterverseError as error:
        _note(session, windows, watch.stage, error)
        missed = [WindowResult(window, stages=watch.stages, total=watch.total, failed=watch.stage) for window in windows]
        return keep(session, missed, desk)
    found = [
        WindowResult(window, each.citations, each.query, watch.stages, watch.total)
        for window, each in zip(windows, cited, strict=True)
    ]
    return keep(session, found, desk)


def make_ready(desk: LectureDesk) -> None:
    """Load the models now, not at the first window. Raises as the embedder does; a re-ranker that fails is told in the log."""
    desk.enrich(["ready"], [], desk.services)
    desk.services.embedder.embed_queries(["ready"])
    if desk.services.reranker:
        judged([("ready", "ready")], desk.services.reranker, inf)


def _cited(session: LectureSession, windows: Sequence[Window], desk: LectureDesk, watch: Stopwatch) -> list[Cited]:
    """Tried once more where something is away for a moment, or a book was replaced between two stages."""
    try:
        return _look_up(session, windows, desk, watch)
    except (RetryableError, NotFound):
        return _look_up(session, windows, desk, watch)


def _look_up(session: LectureSession, windows: Sequence[Window], desk: LectureDesk, watch: Stopwatch) -> list[Cited]:
    with watch.timing("books"):
        books = open_attached(session, desk)
    if not books or not windows:
        return [Cited(EnrichedQuery(window.text), ()) for window in windows]
    services = desk.services.using(next(iter(books.values()))[1].key.model)
    with watch.timing("keywords"):
        queries = _enriched(windows, books, services, desk)
    with watch.timing("embed"):
        vectors = services.embedder.embed_queries([query.text for query in queries])
    with watch.timing("search"):
        hits = _search(queries, vectors, books, services, desk)
        hits = desk.reorder(session, windows, hits)
        near = [its[: desk.figures.candidates] for its in relevant(hits, vectors, desk.figures.least)]
    with watch.timing("rerank"):
        shown = Shown(session, books, desk)
        best = ranked([window.text for window in windows], vectors, near, shown.text_of, desk)
    return [
        Cited(query, tuple(shown.citation(window, vector, rank, one) for rank, one in enumerate(its, start=1)))
        for window, vector, query, its in zip(windows, vectors, queries, best, strict=True)
    ]


def _enriched(windows: Sequence[Window], books: Opened, services: Services, desk: LectureDesk) -> list[EnrichedQuery]:
    """Without keywords where they cannot be made: what was said is looked up all the same."""
    texts, keys = [window.text for window in windows], [book.key for _, book in books.values()]
    try:
        return desk.enrich(texts, keys, services)
    except ChapterverseError as error:
        log.warning("windows without keywords", extra={"windows": len(windows), "error": error.code})
        return as_said(texts, keys, services)


def _search(
    queries: Sequence[EnrichedQuery], vectors: Vectors, books: Opened, services: Services, desk: LectureDesk
) -> list[list[Hit]]:
    """Of each window desk.plan.candidates_per_query."""
    asked = tuple(Query(query.text, QueryKind.QUESTION, number) for number, query in enumerate(queries))
    shelf = Shelf(next(iter(books.values()))[1].key.partition, tuple(books))
    return best_candidates(EmbeddedQueries(asked, vectors), shelf, desk.plan, services.index, words=services.words)


def keep(session: LectureSession, results: list[WindowResult], desk: LectureDesk) -> list[WindowResult]:
    """The same results, kept; they are shown even where they cannot be kept."""
    try:
        desk.store.create_batch(session.id, results)
    except (CatalogUnavailable, NotFound) as error:  # the session was ended while this was looked up
        _note(session, [result.window for result in results], "keep", error)
    return results


def _note(session: LectureSession, windows: Sequence[Window], stage: str, error: ChapterverseError) -> None:
    facts = {"session": str(session.id), "school": session.school, "windows": len(windows), "stage": stage, "error": error.code}
    log.warning("windows without citations", extra=facts)
