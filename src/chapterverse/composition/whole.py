"""The parts put together. Calls of a port are spans of a trace."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from chapterverse.composition import helpdesk, lectures, models, stores
from chapterverse.composition.answers import answer_log, answering
from chapterverse.composition.collections import shelf, shelves
from chapterverse.composition.figures import figures, limits
from chapterverse.composition.lti import lti
from chapterverse.composition.measuring import measuring
from chapterverse.composition.people import reception
from chapterverse.composition.schools import school_doors
from chapterverse.composition.tracing import traced

if TYPE_CHECKING:
    from collections.abc import Callable

    from chapterverse.model import Collection
    from chapterverse.ports import Embedder, TaskQueue, Uploads
    from chapterverse.settings import Settings
    from chapterverse.usecases.kept_feedback import Keeping
    from chapterverse.usecases.leaving import Places
    from chapterverse.usecases.overnight.night import Night
    from chapterverse.usecases.services import Intake, PageDrawer, Parser, Printer, Services, TextFinder
    from chapterverse.web.night import NightWork
    from chapterverse.web.parts import Parts


def compose(
    s: Settings,
    model: Embedder | None = None,
    collection: Collection | None = None,
    *,
    before: Embedder | None = None,
) -> Services:
    """Everything a use case may need in that collection, else for the books. model, before: instead of the embedders that the
    settings choose."""
    from chapterverse.usecases.recent import Recent
    from chapterverse.usecases.services import Services

    recent, earlier = Recent(), models.as_before(s)
    books = Services(
        bucket=traced("bucket", lambda: stores.bucket(s)),
        catalog=traced("catalog", lambda: stores.catalog(s)),
        index=traced("index", lambda: stores.index(s, recent)),
        embedder=traced("embedder", lambda: model or models.embedder(s)),
        parser=traced("parser", parser),
        recent=recent,
        key_sentence_model=models.key_sentence_model(s),
        reranker=models.reranker(s.rerank),
        words=traced("words", lambda: stores.words(s)),
        choices=traced("choices", lambda: stores.choices(s)),
        before=traced("embedder", lambda: before or models.embedder(earlier)) if earlier else None,
    )
    return shelf(s, books, collection or books.collection)


def parser() -> Parser:
    """PyMuPDF in a child process."""
    from chapterverse.adapters.guarded_parser import parse_in_child

    return parse_in_child


def drawer(at_once: bool = False) -> PageDrawer:
    """MuPDF in a child process; at_once: with one that has started already."""
    from chapterverse.adapters.pages import draw_at_once, draw_in_child

    return draw_at_once() if at_once else draw_in_child


def printer(s: Settings) -> Printer:
    """MuPDF in a child process, on the paper of the settings."""
    from chapterverse.adapters.printer import print_in_child

    return partial(print_in_child, paper=s.paper)


def text_finder() -> TextFinder:
    """Files of word processors and PDFs, read in a child process."""
    from chapterverse.adapters.essay_files import text_in_child

    return text_in_child


def intake(s: Settings, services: Services | None = None, store: Uploads | None = None) -> Intake:
    """What taking in uploaded files needs, with these services and that store of files, or new ones."""
    from chapterverse.usecases.services import Intake

    books = Intake(
        services=services or compose(s),
        uploads=traced("uploads", lambda: store or stores.uploads(s)),
        queue=traced("queue", lambda: stores.queue(s)),
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


def night(s: Settings, services: Services | None = None, queue: TaskQueue | None = None) -> Night:
    """What batches of essays are done with; services: with an embedder in the bulk lane, or new ones; queue: instead of the one
    that the settings choose."""
    from chapterverse.retrieval.plan import ESSAY_BATCH
    from chapterverse.usecases.overnight.night import Night

    services = services or compose(s, models.bulk_embedder(s), before=models.bulk_before(s))
    results = traced("results", lambda: stores.results(s))
    return Night(
        services=services,
        store=traced("batches", lambda: stores.batches(s)),
        results=results,
        queue=traced("night_queue", lambda: queue or stores.night_queue(s)),
        keeping=keeping(s),
        writing=models.night_writing(s, services.embedder),
        plan=ESSAY_BATCH,
        predictor=models.predictor(s, results) if s.batch_llm == "vertex" else None,
    )


def keeping(s: Settings) -> Keeping:
    """Where feedback is kept, and for how long."""
    from chapterverse.usecases.kept_feedback import Keeping

    store = traced("feedback", lambda: stores.feedback(s))
    talks = helpdesk.conversations(s)
    heard = stores.lectures(s)
    return Keeping(store, s.keep_days, s.approval, answers=answer_log(s), conversations=talks, lectures=heard)


def places(s: Settings) -> Places:
    """Wherever things of a school are kept."""
    from chapterverse.usecases.leaving import Places

    services = compose(s)
    return Places(
        shelves=tuple(shelves(s, services).values()),
        uploads=traced("uploads", lambda: stores.uploads(s)),
        night=night(s, services),
        keys=traced("keys", lambda: stores.keys(s)),
        records=traced("records", lambda: stores.school_records(s)),
    )


def web(s: Settings, address: str = "", *, hold: float = 0.0) -> Parts:
    """What the HTTP interface stands on; address: where it is reached, for files that it takes in itself; hold: seconds that a
    request with lecture segments may wait for its citations, where threads stop between requests."""
    from chapterverse.adapters.sql_catalog import utc_now
    from chapterverse.model import Collection
    from chapterverse.retrieval.plan import ESSAY_FEEDBACK
    from chapterverse.usecases.textbook_chat import ChatPlan
    from chapterverse.web.parts import Parts

    files = None if s.uploads else stores.folder_uploads(s, address)
    online, bulk = _for_people_and_for_bulk(s)
    overnight = night(s, bulk)
    asked, taking_in = models.remembering(online.embedder), intake(s, bulk, files)
    beside, by = shelves(s, replace(online, embedder=asked)), answering(s, asked)
    return Parts(
        services=online,
        intake=taking_in,
        keys=traced("keys", lambda: stores.keys(s)),
        plan=ESSAY_FEEDBACK,
        draw=drawer(at_once=True),
        printer=printer(s),
        find_text=text_finder(),
        figures=figures(s),
        now=utc_now,
        night=overnight,
        measuring=measuring(s, overnight),
        choices=traced("choices", lambda: stores.choices(s)),
        shelves=beside,
        answering=by,
        desk=helpdesk.desk(s, beside[Collection.HELPDESK], by),
        lectures=lectures.listening(lectures.lecture_desk(s, online, taking_in.queue), hold),
        pace=helpdesk.pace(s),
        reception=reception(s, address),
        schools=school_doors(s),
        lti=lti(s, address),
        asked=asked,
        answers=answer_log(s),
        files=files,
        writing=models.writing(s, online.embedder),
        chat=ChatPlan(),
    )


def _for_people_and_for_bulk(s: Settings) -> tuple[Services, Services]:
    """The same but for the embedder's lane."""
    earlier = models.as_before(s)
    if s.embedder in {"remote", "openai"}:
        by_day = compose(s)
        return by_day, replace(by_day, embedder=_in_bulk(s), before=_in_bulk(earlier) if earlier else None)
    two, before = models.lanes(s), models.lanes(earlier) if earlier else None
    online = compose(s, two.online, before=before.online if before else None)
    bulk = replace(online, embedder=traced("embedder", lambda: two.bulk))
    return online, replace(bulk, before=traced("embedder", lambda: before.bulk)) if before else bulk


def _in_bulk(s: Settings) -> Embedder:
    return traced("embedder", lambda: models.bulk_embedder(s))


def night_work(s: Settings) -> NightWork:
    """What the function of the night stands on."""
    from chapterverse.web.night import NightWork

    overnight = night(s)
    return NightWork(overnight, measuring(s, overnight), door(s, s.batch_url), s.max_open_requests)


def door(s: Settings, audience: str) -> Callable[[str], object]:
    """Takes the header of a service that calls; lets anybody in where no callers are named."""
    from chapterverse.web.oidc import OidcDoor

    callers = frozenset(filter(None, map(str.strip, s.allowed_callers.split(","))))
    return OidcDoor(audience, callers, s.oidc_certs_url).admit if callers else lambda _: None
