"""Build the applications: services, intake, help desk, lectures, batches and the web. Calls of ports are traced."""

from __future__ import annotations

from dataclasses import replace
from functools import cache, partial
from importlib.util import find_spec
from typing import TYPE_CHECKING

from chapterverse.composition import models, stores
from chapterverse.composition.plans import answer_log, answering, http_limits, limits, redactor, shelf, shelves
from chapterverse.composition.schools import lti, measuring, school_sign_ins, sign_in
from chapterverse.infrastructure.telemetry.spans import traced_port

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from chapterverse.core.book import Collection
    from chapterverse.core.ports import Embedder, Reranker, TaskQueue, Uploads
    from chapterverse.essays.batch.context import BatchContext
    from chapterverse.essays.history import FeedbackHistory
    from chapterverse.essays.service import EssayContext
    from chapterverse.lectures.context import Enrich, LectureContext, LectureLimits
    from chapterverse.lectures.model import EnrichedQuery
    from chapterverse.lectures.queries import Choose
    from chapterverse.lectures.service import LiveLectures
    from chapterverse.library.model import VersionKey
    from chapterverse.library.services import CollectionServices, Intake, PageDrawer, Parser, Printer, TextFinder
    from chapterverse.operations.batch_app import BatchWork
    from chapterverse.operations.retention import Places, Retention
    from chapterverse.questions.helpdesk import HelpdeskContext
    from chapterverse.questions.store import SqlConversations, SqlFaq
    from chapterverse.questions.styles import AnswerSettings
    from chapterverse.settings import Settings
    from chapterverse.web.context import AppContext


def conversations(s: Settings) -> SqlConversations:
    """In the catalog's database."""
    from chapterverse.questions.store import SqlConversations

    return traced_port("conversations", lambda: SqlConversations(stores.database(s)))


def faq(s: Settings) -> SqlFaq:
    """In the catalog's database."""
    from chapterverse.questions.store import SqlFaq

    return traced_port("faq", lambda: SqlFaq(stores.database(s)))


def desk(s: Settings, services: CollectionServices, answering: AnswerSettings) -> HelpdeskContext:
    """services: those of the help desk's collection."""
    from chapterverse.questions.helpdesk import HelpdeskContext, HelpdeskLimits
    from chapterverse.search.plan import HELPDESK

    return HelpdeskContext(
        services=services,
        source_limits=limits(s, services.collection),
        conversations=conversations(s),
        faq=faq(s),
        answer_settings=answering,
        redactor=redactor(s),
        answers=answer_log(s),
        limits=HelpdeskLimits(days=s.keep_days, rewrite="follow_up" in s.tasks_of_llm),
        plan=HELPDESK,
    )


ATTACHABLE = ("books", "documents", "textbook", "lectures")


def lecture_context(s: Settings, services: CollectionServices | None = None, queue: TaskQueue | None = None) -> LectureContext:
    """What citing in lectures uses. services: of any collection, with the online embedder; queue: of the intake's tasks. Both
    are made here if not given."""
    from chapterverse.core.book import Collection
    from chapterverse.lectures.context import LectureContext
    from chapterverse.lectures.following import PositionFilter
    from chapterverse.search.plan import LECTURE

    services = services or compose(s)
    remembering = models.remembering(services.embedder)
    store = stores.lectures(s)
    by_collection = shelves(s, replace(services, embedder=remembering, reranker=reranker(s)))
    return LectureContext(
        services=by_collection[Collection.LECTURES],
        collections={Collection(name): by_collection[Collection(name)] for name in ATTACHABLE},
        store=store,
        queue=queue or traced_port("queue", lambda: stores.queue(s)),
        figures=lecture_figures(s),
        plan=LECTURE,
        reorder=PositionFilter(recall=lambda heard: store.list_by_session(heard.school, heard.id)),
        enrich=enrich(services.embedder),
    )


def listening(context: LectureContext, hold: float = 0.0) -> LiveLectures:
    """Live lectures with a pool; its threads start with the first window."""
    from chapterverse.lectures.citing import cite_windows
    from chapterverse.lectures.pool import WindowPool
    from chapterverse.lectures.service import LiveLectures

    pool = WindowPool(partial(cite_windows, context=context))
    return LiveLectures(context, pool, hold=hold)


def enrich(embedder: Embedder) -> Enrich:
    """Keywords by KeyBERT where it is installed, which takes a second to import: at the first window; else by its steps."""
    from chapterverse.lectures.context import headings_of
    from chapterverse.lectures.queries import Enricher

    @cache
    def enricher() -> Enricher:
        return Enricher(_choose(embedder))

    def enriched(texts: Sequence[str], books: Sequence[VersionKey], services: CollectionServices) -> list[EnrichedQuery]:
        return enricher().enrich(texts, [headings_of(key, services) for key in books], services.embedder)

    return enriched


def _choose(embedder: Embedder) -> Choose:
    from chapterverse.lectures.queries import choose_keywords

    if not (find_spec("keybert") and find_spec("sklearn")):
        return choose_keywords
    from chapterverse.lectures.keybert_keywords import keybert_chooser

    return keybert_chooser(embedder)


def lecture_figures(s: Settings) -> LectureLimits:
    """S3's own."""
    from chapterverse.lectures.context import LectureLimits

    return LectureLimits(days=s.keep_days, batch_chunks=s.max_task_sentences)


def reranker(s: Settings) -> Reranker | None:
    """A cross-encoder, loaded at its first pair or by warm_up; None where candidates are taken as the vectors order them."""
    if not (model := s.rerankers.get("lectures")):
        return None
    from chapterverse.infrastructure.llm.cross_encoders import CrossEncoderReranker

    return traced_port("reranker", lambda: CrossEncoderReranker(model))


def compose(
    s: Settings,
    model: Embedder | None = None,
    collection: Collection | None = None,
    *,
    before: Embedder | None = None,
) -> CollectionServices:
    """Everything a use case may need in that collection, else for the books. model, before: instead of the embedders that the
    settings choose."""
    from chapterverse.core.recent import Recent
    from chapterverse.library.services import CollectionServices

    recent, earlier = Recent(), models.as_before(s)
    books = CollectionServices(
        bucket=traced_port("bucket", lambda: stores.bucket(s)),
        catalog=traced_port("catalog", lambda: stores.catalog(s)),
        index=traced_port("index", lambda: stores.index(s, recent)),
        embedder=traced_port("embedder", lambda: model or models.embedder(s)),
        parser=traced_port("parser", parser),
        recent=recent,
        reranker=models.reranker(s.rerankers.get("essays", "")),
        words=traced_port("words", lambda: stores.words(s)),
        choices=traced_port("choices", lambda: stores.choices(s)),
        before=traced_port("embedder", lambda: before or models.embedder(earlier)) if earlier else None,
    )
    return shelf(s, books, collection or books.collection)


def parser() -> Parser:
    """PyMuPDF in a child process."""
    from chapterverse.library.pdf.sandbox import parse_in_child

    return parse_in_child


def drawer(at_once: bool = False) -> PageDrawer:
    """MuPDF in a child process; at_once: with one that has started already."""
    from chapterverse.library.pdf.sandbox import draw_at_once, draw_in_child

    return draw_at_once() if at_once else draw_in_child


def printer(s: Settings) -> Printer:
    """MuPDF in a child process, on the paper of the settings."""
    from chapterverse.essays.writing.printer import print_in_child

    return partial(print_in_child, paper=s.paper)


def text_finder() -> TextFinder:
    """Files of word processors and PDFs, read in a child process."""
    from chapterverse.essays.text.files import text_in_child

    return text_in_child


def intake(s: Settings, services: CollectionServices | None = None, store: Uploads | None = None) -> Intake:
    """What taking in uploaded files needs, with these services and that store of files, or new ones."""
    from chapterverse.library.services import Intake

    books = Intake(
        services=services or compose(s),
        uploads=traced_port("uploads", lambda: store or stores.uploads(s)),
        queue=traced_port("queue", lambda: stores.queue(s)),
        limits=limits(s),
        batch_sentences=s.max_task_sentences,
    )
    return replace(
        books,
        others={
            collection: replace(books, services=services, limits=limits(s, collection))
            for collection, services in shelves(s, books.services).items()
            if collection is not books.services.collection
        },
    )


def essays(s: Settings, services: CollectionServices) -> EssayContext:
    """What feedback on an essay is given with while its student waits."""
    from chapterverse.essays.service import EssayContext
    from chapterverse.search.plan import ESSAY_FEEDBACK

    writing, chosen_by = models.writing(s, services.embedder), models.key_sentence_model(s)
    return EssayContext(services, history(s), writing, ESSAY_FEEDBACK, chosen_by)


def batches(s: Settings, services: CollectionServices | None = None, queue: TaskQueue | None = None) -> BatchContext:
    """What batches of essays are done with. services: with the embedder's bulk lane, None: new ones; queue: instead of the one
    that the settings choose."""
    from chapterverse.essays.batch.context import BatchContext
    from chapterverse.essays.service import EssayContext
    from chapterverse.search.plan import ESSAY_BATCH

    services = services or compose(s, models.bulk_embedder(s), before=models.bulk_before(s))
    results = traced_port("results", lambda: stores.results(s))
    writing, chosen_by = models.batch_writing(s, services.embedder), models.key_sentence_model(s)
    return BatchContext(
        essays=EssayContext(services, history(s), writing, ESSAY_BATCH, chosen_by),
        store=traced_port("batches", lambda: stores.batches(s)),
        results=results,
        queue=traced_port("batch_queue", lambda: queue or stores.batch_queue(s)),
        predictor=models.predictor(s, results) if "batch" in s.tasks_of_llm else None,
    )


def history(s: Settings) -> FeedbackHistory:
    """Where feedback is stored, and for how long."""
    from chapterverse.essays.history import FeedbackHistory

    return FeedbackHistory(traced_port("feedback", lambda: stores.feedback(s)), s.keep_days, s.approval)


def retention(s: Settings, context: BatchContext | None = None) -> Retention:
    """What expires."""
    from chapterverse.operations.retention import Retention

    return Retention(context or batches(s), answer_log(s), conversations(s), stores.lectures(s))


def places(s: Settings) -> Places:
    """Wherever things of a school are kept."""
    from chapterverse.operations.retention import Places

    services = compose(s)
    return Places(
        shelves=tuple(shelves(s, services).values()),
        uploads=traced_port("uploads", lambda: stores.uploads(s)),
        batches=batches(s, services),
        keys=traced_port("keys", lambda: stores.keys(s)),
        records=traced_port("records", lambda: stores.school_records(s)),
    )


def web(s: Settings, address: str = "", *, hold: float = 0.0) -> AppContext:
    """What the HTTP interface stands on; address: where it is reached, for files that it takes in itself; hold: seconds that a
    request with lecture segments may wait for its citations, where threads stop between requests."""
    from chapterverse.core.book import Collection
    from chapterverse.infrastructure.sql.engine import utc_now
    from chapterverse.questions.service import ChatPlan
    from chapterverse.web.context import AppContext
    from chapterverse.web.limits import helpdesk_pace

    rates = stores.rates(s)
    files = None if s.uploads else stores.folder_uploads(s, address)
    online, bulk = _for_people_and_for_bulk(s)
    in_batches = batches(s, bulk)
    asked, taking_in = models.remembering(online.embedder), intake(s, bulk, files)
    beside, by = shelves(s, replace(online, embedder=asked)), answering(s, asked)
    return AppContext(
        services=online,
        intake=taking_in,
        keys=traced_port("keys", lambda: stores.keys(s)),
        draw=drawer(at_once=True),
        printer=printer(s),
        find_text=text_finder(),
        limits=http_limits(s),
        now=utc_now,
        essays=essays(s, online),
        batches=in_batches,
        retention=retention(s, in_batches),
        measuring=measuring(s, in_batches),
        choices=traced_port("choices", lambda: stores.choices(s)),
        shelves=beside,
        answering=by,
        helpdesk=desk(s, beside[Collection.HELPDESK], by),
        lectures=listening(lecture_context(s, online, taking_in.queue), hold),
        pace=helpdesk_pace(rates),
        rates=rates,
        sign_in=sign_in(s, address),
        schools=school_sign_ins(s),
        lti=lti(s, address),
        asked=asked,
        answers=answer_log(s),
        files=files,
        chat=ChatPlan(),
    )


def _for_people_and_for_bulk(s: Settings) -> tuple[CollectionServices, CollectionServices]:
    """The same but for the embedder's lane."""
    earlier = models.as_before(s)
    if s.embedder in {"remote", "openai"}:
        by_day = compose(s)
        return by_day, replace(by_day, embedder=_in_bulk(s), before=_in_bulk(earlier) if earlier else None)
    two, before = models.batching_embedder(s), models.batching_embedder(earlier) if earlier else None
    online = compose(s, two.online, before=before.online if before else None)
    bulk = replace(online, embedder=traced_port("embedder", lambda: two.bulk))
    return online, replace(bulk, before=traced_port("embedder", lambda: before.bulk)) if before else bulk


def _in_bulk(s: Settings) -> Embedder:
    return traced_port("embedder", lambda: models.bulk_embedder(s))


def batch_work(s: Settings) -> BatchWork:
    """What the function run_nightly_batches stands on."""
    from chapterverse.operations.batch_app import BatchWork

    context = batches(s)
    return BatchWork(retention(s, context), measuring(s, context), door(s, s.batch_url), s.max_open_requests)


def door(s: Settings, audience: str) -> Callable[[str], object]:
    """Takes the header of a service that calls; lets anybody in where no callers are named."""
    from chapterverse.web.auth import ServiceAuthenticator

    callers = frozenset(filter(None, map(str.strip, s.allowed_callers.split(","))))
    return ServiceAuthenticator(audience, callers, s.oidc_certs_url).admit if callers else lambda _: None
