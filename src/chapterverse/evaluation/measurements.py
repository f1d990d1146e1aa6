"""Measurements that run in the background: ordering, resuming and doing them.

A calibration does the same as `chapterverse calibrate`; it has no effect before it is accepted. An evaluation does the same as
`chapterverse variants make` and `chapterverse evaluate`."""

import logging
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime

from pydantic import BaseModel

from chapterverse.citations.records import PassageRecord
from chapterverse.core.book import BookId, Collection, SentenceId
from chapterverse.core.errors import BadRequest, BookBusy, NotFound, PermanentError, RetryableError
from chapterverse.core.hits import Scope
from chapterverse.core.names import fingerprint
from chapterverse.core.paid_model import PaidModel
from chapterverse.core.ports import TaskQueue
from chapterverse.core.tasks import TASK_ATTEMPTS, Task, TaskKind, named_task
from chapterverse.evaluation.calibration import QUESTIONS, by_itself, calibrate
from chapterverse.evaluation.cases import LEVELS, Variant, VariantCase, stem_of, words_left_out
from chapterverse.evaluation.model import Measured, Measurement, MeasurementState
from chapterverse.evaluation.retrieval import (
    QUERIES_AT_ONCE,
    LevelMetrics,
    OpenLibrary,
    found_for,
    level_metrics,
    open_library,
    rank_in,
)
from chapterverse.evaluation.store import SqlMeasurements
from chapterverse.evaluation.variants import SentenceSample, draw, open_series
from chapterverse.infrastructure.sql.engine import utc_now
from chapterverse.library.artefacts import indexed, load_book
from chapterverse.library.lookup import find_passage
from chapterverse.library.model import CatalogBook, VersionState
from chapterverse.library.service import show_book
from chapterverse.library.services import CollectionServices
from chapterverse.library.tasks import Body, text_in, understood
from chapterverse.messages import Message, message
from chapterverse.questions.judging import CALIBRATION, accept, accepted
from chapterverse.questions.log import rated_cases
from chapterverse.questions.store import SqlAnswers
from chapterverse.search.plan import DOCUMENT_QA, ESSAY_FEEDBACK, HELPDESK, TEXTBOOK_CHAT, RetrievalPlan

BY_RULES = "rules"  # what made the variants, where no language model did
log = logging.getLogger(__name__)
MISSES = 6  # of a level in a result
AUTOMATIC = "automatic"  # by whom a measurement was ordered that no person asked for
MIN_ENTRIES = 12  # of which three are refused wrongly, and nine rightly, if their own entry is missing
Progress = Callable[[int, int], None]

PLANS: Mapping[Collection, RetrievalPlan] = {
    Collection.DOCUMENTS: DOCUMENT_QA,
    Collection.TEXTBOOK: TEXTBOOK_CHAT,
    Collection.HELPDESK: HELPDESK,
}


@dataclass(frozen=True)
class MeasuringContext:
    """Everything measurements use. collections: bulk services of each. plan: of essays. paid: writes variants, None for
    variants by rules. answers: the log, with the questions that people rated. attempts: deliveries of a task until it has
    failed."""

    store: SqlMeasurements
    queue: TaskQueue
    collections: Mapping[Collection, CollectionServices]
    plan: RetrievalPlan = ESSAY_FEEDBACK
    paid: PaidModel | None = None
    answers: SqlAnswers | None = None
    attempts: int = TASK_ATTEMPTS
    now: Callable[[], datetime] = utc_now

    def plan_of(self, collection: Collection) -> RetrievalPlan:
        """The plan of a collection. Raises BadRequest for a collection that cannot be measured."""
        if collection is Collection.BOOKS:
            return replace(self.plan, limit=self.plan.hits_per_query)
        if collection not in PLANS:
            raise BadRequest("collection_not_measured", collection=collection)
        return PLANS[collection]


@dataclass(frozen=True, slots=True)
class MeasurementOrder:
    """What to measure; fields as in Measurement."""

    school: str
    kind: Measured
    about: str
    n: int
    seed: int
    by: str


class Miss(BaseModel):
    """A variant whose sentence was not found first. said: its text. rank: of its sentence, null if not among the candidates.
    sought: its sentence; found: the first hit; both as passages, null without one. The field names are stored."""

    said: str
    rank: int | None
    sought: PassageRecord | None
    found: PassageRecord | None


class EvaluationResult(BaseModel):
    """The stored result of an evaluation. by: the language model that wrote the variants, or BY_RULES. drawn, dropped:
    sentences of the sample. sentences: of all books, which are searched. misses: some of each level. cases: the variants."""

    by: str
    drawn: int
    dropped: int
    sentences: int
    levels: dict[str, LevelMetrics]
    misses: dict[str, list[Miss]]
    cases: list[VariantCase]


def begin(order: MeasurementOrder, context: MeasuringContext) -> Measurement:
    """Start a measurement in the background; an equal one that is not finished is returned instead.

    Raises CatalogUnavailable, QueueUnavailable."""
    earlier = context.store.of_school(order.school, order.kind, order.about)
    measurement = next((one for one in earlier if _is_equal(one, order)), None) or _new(order, earlier, context)
    context.queue.add(measure_task(measurement))
    return measurement


def measure_answers(entries: int, school: str, context: MeasuringContext) -> None:
    """Calibrate the help desk by its own answers in the background, if so many approved entries are enough, and use the result
    unless a person has accepted another: a help desk on one topic needs a higher threshold. Raises as begin."""
    if entries >= MIN_ENTRIES:
        begin(MeasurementOrder(school, Measured.CALIBRATION, Collection.HELPDESK.value, QUESTIONS, 0, AUTOMATIC), context)


def resume(context: MeasuringContext) -> None:
    """Queue all unfinished measurements again; for the start of a process with tasks in memory."""
    for measurement in context.store.waiting():
        context.queue.add(measure_task(measurement))


def measure_task(measurement: Measurement) -> Task:
    """The task that does a measurement."""
    return named_task(TaskKind.MEASURE, {"school": measurement.school, "measurement": measurement.id})


def _is_equal(one: Measurement, order: MeasurementOrder) -> bool:
    return one.state is MeasurementState.WAITING and (one.n, one.seed) == (order.n, order.seed)


def _new(order: MeasurementOrder, earlier: list[Measurement], context: MeasuringContext) -> Measurement:
    """A new measurement; two equal orders at the same time get the same one."""
    after = earlier[0].id if earlier else ""
    id = fingerprint(order.school, order.kind, order.about, str(order.n), str(order.seed), after, digits=16)
    context.store.add(Measurement(order.school, id, order.kind, order.about, order.n, order.seed, order.by, context.now()))
    return context.store.find(order.school, id)


def calibrate_texts(measurement: Measurement, context: MeasuringContext, progress: Progress) -> str:
    """The calibration as JSON; an automatic one is accepted. Raises as calibrate, and BookBusy while an automatic one would
    miss what is being indexed."""
    collection = Collection(measurement.about)
    services, plan, automatic = context.collections[collection], context.plan_of(collection), measurement.by == AUTOMATIC
    if automatic and any(map(is_being_indexed, services.catalog.books(measurement.school))):
        raise BookBusy("book_busy")
    cases = rated_cases(measurement.school, context.answers) if context.answers else []
    number, seed = measurement.n, measurement.seed
    found = calibrate(measurement.school, services, plan, number=number, seed=seed, cases=cases, progress=progress)
    if automatic:
        found = by_itself(found)
        before = accepted(measurement.school, services)
        if before is None or before.automatic:
            accept(measurement.school, found, services)
    return CALIBRATION.dump_json(found).decode()


def is_being_indexed(book: CatalogBook) -> bool:
    """Whether a newer version of the source is on its way."""
    return bool(book.newest and book.newest.state is VersionState.INDEXING)


def evaluate_book(measurement: Measurement, context: MeasuringContext, progress: Progress) -> str:
    """The EvaluationResult as JSON. Raises NotFound, and every RetryableError of the ports; variants written so far are
    stored."""
    services = context.collections[Collection.BOOKS]
    by, made, total = cases_for(measurement, context, progress)
    cases = [case for case in made if case]
    if not cases:
        raise NotFound("no_variants_usable", sentences=len(made))
    library = open_library(Scope(measurement.school), services, context.plan, BookId(measurement.about))
    judge = VariantJudge(library, cases, progress, total)
    found = {level: list(judge.level(level, at)) for at, level in enumerate(LEVELS)}
    return EvaluationResult(
        by=by,
        drawn=len(made),
        dropped=len(made) - len(cases),
        sentences=sum(book.sentences for book in library.opened.values()),
        levels={level: level_metrics([one.rank for one in each]) for level, each in found.items()},
        misses={level: list(misses_of(each, measurement.school, services)) for level, each in found.items()},
        cases=cases,
    ).model_dump_json()


def cases_for(
    measurement: Measurement, context: MeasuringContext, progress: Progress
) -> tuple[str, list[VariantCase | None], int]:
    """Who wrote the variants; the case of each sentence drawn, None for one dropped; number of steps of the measurement."""
    sample = SentenceSample(measurement.school, BookId(measurement.about), measurement.n, measurement.seed)
    services, paid = context.collections[Collection.BOOKS], context.paid
    if paid is None:
        cases = list(cases_by_rules(sample, services))
        return BY_RULES, cases, len(cases) * (1 + len(LEVELS))
    series = open_series(sample, services, paid)
    total = len(series.sampled) * (1 + len(LEVELS))
    done = len(series.sampled) - series.left()
    progress(done, total)
    for number, _ in enumerate(series.make(), start=1):
        progress(done + number, total)
    return paid.model.model, series.cases(), total


def cases_by_rules(sample: SentenceSample, services: CollectionServices) -> Iterator[VariantCase | None]:
    """Cases of the same sentences that a language model would get, None for one dropped."""
    book = show_book(sample.school, sample.book, services)
    if book.active is None:
        raise NotFound("book_not_ready")
    for sentence in draw(indexed(load_book(services.bucket, book.active.key)), sample.n, sample.seed):
        made = words_left_out(sentence.text, sample.seed)
        yield VariantCase.of(stem_of(book), sentence, made) if made else None


@dataclass(frozen=True, slots=True)
class VariantResult:
    """The result of a variant. rank: of its sentence among the candidates, from 1, None if not among them. first: the first
    hit."""

    text: str
    rank: int | None
    sought: SentenceId | None
    first: SentenceId | None


@dataclass(frozen=True)
class VariantJudge:
    """Searches by variants. total: number of steps of the measurement."""

    library: OpenLibrary
    variants: Sequence[Variant]
    progress: Progress
    total: int

    def level(self, level: str, at: int) -> Iterator[VariantResult]:
        """The result of every variant of a level."""
        before = self.total * (1 + at) // (1 + len(LEVELS))
        for number, (variant, hits) in enumerate(found_for(self.variants, level, self.library)):
            if number % QUERIES_AT_ONCE == 0:
                self.progress(before + number, self.total)
            sought = self.library.books.ids(variant.book, variant.sentence)
            first = hits[0].record.id if hits else None
            yield VariantResult(getattr(variant, level), rank_in(hits, sought), min(sought, default=None), first)


def misses_of(results: Sequence[VariantResult], school: str, services: CollectionServices) -> Iterator[Miss]:
    """At most MISSES variants whose sentence was not found first, the worst first."""
    missed = sorted((one for one in results if one.rank != 1), key=lambda one: -(one.rank or 10**9))
    for one in missed[:MISSES]:
        sought, first = (_passage(id, school, services) for id in (one.sought, one.first))
        yield Miss(said=one.text, rank=one.rank, sought=sought, found=first)


def _passage(id: SentenceId | None, school: str, services: CollectionServices) -> PassageRecord | None:
    return PassageRecord.of_passage(find_passage(school, id, services)) if id else None


MEASURE: Mapping[Measured, Callable[[Measurement, MeasuringContext, Progress], str]] = {
    Measured.EVALUATION: evaluate_book,
    Measured.CALIBRATION: calibrate_texts,
}


def run_measurement(task: Task, attempt: int, context: MeasuringContext) -> None:
    """Do a measurement and store its result, or why it failed. Repeatable.

    attempt: number of the delivery, from 1; above context.attempts the measurement fails. Raises RetryableError, and
    BadRequest as `understood`."""
    if (which := understood(task, _which, attempt, context.attempts)) is None:
        return
    with suppress(NotFound):  # it was removed
        measurement = context.store.find(*which)
        if measurement.state is MeasurementState.WAITING:
            context.store.change(_finished(measurement, attempt, context))


def _which(body: Body) -> tuple[str, str]:
    return text_in(body, "school"), text_in(body, "measurement")


def _finished(measurement: Measurement, attempt: int, context: MeasuringContext) -> Measurement:
    """The measurement with its result, or failed."""
    if attempt > context.attempts:
        return _failed(measurement, message("measurement_gave_up", attempts=context.attempts))

    def progress(done: int, total: int) -> None:
        context.store.change(replace(measurement, done=done, total=total, message=None))

    try:
        result = MEASURE[measurement.kind](measurement, context, progress)
    except PermanentError as error:
        log.warning("measurement failed", extra={"school": measurement.school, "error": error.code})
        return _failed(measurement, error.message)
    except RetryableError as error:
        context.store.change(replace(measurement, message=error.message))
        raise
    reached = context.store.find(measurement.school, measurement.id)
    return replace(reached, done=reached.total, state=MeasurementState.DONE, message=None, result=result)


def _failed(measurement: Measurement, why: Message) -> Measurement:
    return replace(measurement, state=MeasurementState.FAILED, message=why)
