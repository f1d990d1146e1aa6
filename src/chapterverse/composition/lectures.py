"""Citing beside lectures, put together."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from chapterverse.composition import models, stores
from chapterverse.composition.collections import shelves
from chapterverse.composition.tracing import traced

if TYPE_CHECKING:
    from chapterverse.ports import Reranker, TaskQueue
    from chapterverse.settings import Settings
    from chapterverse.usecases.lectures.desk import LectureDesk, LectureFigures
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
    remembering = models.remembering(s, services.embedder)
    by_shelf = shelves(s, replace(services, embedder=remembering, reranker=reranker(s)))
    return LectureDesk(
        services=by_shelf[Collection.LECTURES],
        shelves={Collection(shelf): by_shelf[Collection(shelf)] for shelf in ATTACHABLE},
        store=stores.lectures(s),
        queue=queue or traced("queue", lambda: stores.queue(s)),
        figures=lecture_figures(s),
        plan=replace(LECTURE, candidates_per_query=s.lecture_fetched, lexical=s.lecture_words),
        reorder=Following(s.lecture_least, s.lecture_sure),
    )


def lecture_figures(s: Settings) -> LectureFigures:
    """S3's own."""
    from chapterverse.usecases.lectures.desk import LectureFigures

    return LectureFigures(
        candidates=s.lecture_candidates,
        citations=s.lecture_citations,
        least=1 - s.lecture_most_distance / 2,
        snippet_least=s.snippet_least,
        snippet_most=s.snippet_most,
        days=s.keep_days,
        batch_chunks=s.batch_sentences,
    )


def reranker(s: Settings) -> Reranker | None:
    """A cross-encoder, loaded at its first pair or by warm_up; None where candidates are taken as the vectors order them."""
    if s.lecture_rerank == "off":
        return None
    from chapterverse.adapters.cross_encoder_reranker import CrossEncoderReranker

    return traced("reranker", lambda: CrossEncoderReranker(s.lecture_rerank))
