"""Citing beside lectures, put together."""

from __future__ import annotations

from dataclasses import replace
from functools import cache, partial
from importlib.util import find_spec
from typing import TYPE_CHECKING

from chapterverse.composition import models, stores
from chapterverse.composition.collections import shelves
from chapterverse.composition.tracing import traced

if TYPE_CHECKING:
    from collections.abc import Sequence

    from chapterverse.model import EnrichedQuery, VersionKey
    from chapterverse.ports import Embedder, Reranker, TaskQueue
    from chapterverse.settings import Settings
    from chapterverse.usecases.lectures.desk import Enrich, LectureDesk, LectureFigures
    from chapterverse.usecases.lectures.enrich import Choose
    from chapterverse.usecases.lectures.listening import Listening
    from chapterverse.usecases.services import Services

ATTACHABLE = ("books", "documents", "textbook", "lectures")


def lecture_desk(s: Settings, services: Services | None = None, queue: TaskQueue | None = None) -> LectureDesk:
    """services: of any collection, with the embedder that people's queries go to; queue: of the intake's tasks. Each is made
    anew where none is given: one desk a process."""
    from chapterverse.composition.whole import compose
    from chapterverse.model import Collection
    from chapterverse.retrieval.plan import LECTURE
    from chapterverse.usecases.lectures.desk import LectureDesk
    from chapterverse.usecases.lectures.following import Following

    services = services or compose(s)
    remembering = models.remembering(services.embedder)
    store = stores.lectures(s)
    by_shelf = shelves(s, replace(services, embedder=remembering, reranker=reranker(s)))
    return LectureDesk(
        services=by_shelf[Collection.LECTURES],
        shelves={Collection(shelf): by_shelf[Collection(shelf)] for shelf in ATTACHABLE},
        store=store,
        queue=queue or traced("queue", lambda: stores.queue(s)),
        figures=lecture_figures(s),
        plan=LECTURE,
        reorder=Following(recall=lambda heard: store.list_by_session(heard.school, heard.id)),
        enrich=enrich(services.embedder),
    )


def listening(desk: LectureDesk, hold: float = 0.0) -> Listening:
    """Its threads begin with the first window."""
    from chapterverse.usecases.lectures.cite import cite_windows
    from chapterverse.usecases.lectures.listening import Listening
    from chapterverse.usecases.lectures.pool import WindowPool

    pool = WindowPool(partial(cite_windows, desk=desk))
    return Listening(desk, pool, hold=hold)


def enrich(embedder: Embedder) -> Enrich:
    """Keywords by KeyBERT where it is installed, which takes a second to import: at the first window; else by its steps."""
    from chapterverse.usecases.lectures.enrich import Enricher
    from chapterverse.usecases.lectures.headings import headings_of

    @cache
    def enricher() -> Enricher:
        return Enricher(_choose(embedder))

    def enriched(texts: Sequence[str], books: Sequence[VersionKey], services: Services) -> list[EnrichedQuery]:
        return enricher().enrich(texts, [headings_of(key, services) for key in books], services.embedder)

    return enriched


def _choose(embedder: Embedder) -> Choose:
    from chapterverse.lecture.keywords import choose_keywords

    if not (find_spec("keybert") and find_spec("sklearn")):
        return choose_keywords
    from chapterverse.adapters.keybert_keywords import KeyBertKeywords

    return KeyBertKeywords(embedder)


def lecture_figures(s: Settings) -> LectureFigures:
    """S3's own."""
    from chapterverse.usecases.lectures.desk import LectureFigures

    return LectureFigures(days=s.keep_days, batch_chunks=s.max_task_sentences)


def reranker(s: Settings) -> Reranker | None:
    """A cross-encoder, loaded at its first pair or by warm_up; None where candidates are taken as the vectors order them."""
    if s.lecture_rerank == "off":
        return None
    from chapterverse.adapters.cross_encoder import CrossEncoderReranker

    return traced("reranker", lambda: CrossEncoderReranker(s.lecture_rerank))
