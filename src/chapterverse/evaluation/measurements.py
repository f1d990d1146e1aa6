"""Measurements as teachers see them: asked for, watched, compared, forgotten.

`chapterverse calibrate` in the background; nothing goes by it before it is accepted.

How well a book's sentences are found among all books, by variants of them: what `chapterverse variants make` and
`chapterverse evaluate` do, one after the other, in the background.

Measurements done, and what becomes of one that does not succeed."""

import json
import logging
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from datetime import datetime
from typing import Any

from chapterverse.citations.records import PassageRecord
from chapterverse.core.book import BookId, Collection, SentenceId
from chapterverse.core.errors import BadRequest, NotFound, PermanentError, RetryableError
from chapterverse.core.hits import Hit, Scope
from chapterverse.core.names import fingerprint
from chapterverse.core.paid_model import PaidModel
from chapterverse.core.ports import TaskQueue
from chapterverse.core.tasks import TASK_ATTEMPTS, Task, TaskKind
from chapterverse.evaluation.calibration import calibrate
from chapterverse.evaluation.cases import LEVELS, Variant, stem_of, words_left_out
from chapterverse.evaluation.model import Measured, Measurement, MeasurementState
from chapterverse.evaluation.retrieval import OpenLibrary, found_for, level_figures, open_library, rank_in
from chapterverse.evaluation.store import SqlMeasurements
from chapterverse.evaluation.variants import Case, SentenceSample, draw, open_series
from chapterverse.infrastructure.sql.engine import utc_now
from chapterverse.library.artefacts import indexed, load_book
from chapterverse.library.lookup import find_passage
from chapterverse.library.service import show_book
from chapterverse.library.services import CollectionServices
from chapterverse.library.tasks import Body, named_task, text_in, understood
from chapterverse.messages import Message, message
from chapterverse.questions.judging import CALIBRATION
from chapterverse.search.plan import DOCUMENT_QA, ESSAY_FEEDBACK, HELPDESK, TEXTBOOK_CHAT, RetrievalPlan

PLANS: Mapping[Collection, RetrievalPlan] = {
    Collection.DOCUMENTS: DOCUMENT_QA,
    Collection.TEXTBOOK: TEXTBOOK_CHAT,
    Collection.HELPDESK: HELPDESK,
}

"""How questions are looked up that are asked of these."""


@dataclass(frozen=True)
class MeasuringContext:
    """shelves: services of every collection, their embedder in the bulk lane. plan: of essays, for which there is time enough;
    paid: what writes variants, None where rules do. attempts: at one measurement."""

    store: SqlMeasurements
    queue: TaskQueue
    shelves: Mapping[Collection, CollectionServices]
    plan: RetrievalPlan = ESSAY_FEEDBACK
    paid: PaidModel | None = None
    attempts: int = TASK_ATTEMPTS
    now: Callable[[], datetime] = utc_now

    def plan_of(self, collection: Collection) -> RetrievalPlan:
        """How that one is looked in. Raises BadRequest for one that nothing is measured of."""
        if collection is Collection.BOOKS:
            return replace(self.plan, limit=self.plan.hits_per_query)
        if collection not in PLANS:
            raise BadRequest("collection_not_measured", collection=collection)
        return PLANS[collection]


@dataclass(frozen=True, slots=True)
class MeasurementOrder:
    """What is to be measured, and for whom: see Measurement."""

    school: str
    kind: Measured
    about: str
    n: int
    seed: int
    by: str


def begin(wish: MeasurementOrder, measuring: MeasuringContext) -> Measurement:
    """Asked for, to be done in the background; the same again, while it is under way, is the same measurement.

    Raises CatalogUnavailable, QueueUnavailable."""
    earlier = measuring.store.of_school(wish.school, wish.kind, wish.about)
    measurement = next((one for one in earlier if _is_it(one, wish)), None) or _new(wish, earlier, measuring)
    measuring.queue.add(measure_task(measurement))
    return measurement


def resume(measuring: MeasuringContext) -> None:
    """Ask again for what is under way, by a process that kept its tasks in memory. To be called at the start."""
    for measurement in measuring.store.waiting():
        measuring.queue.add(measure_task(measurement))


def measure_task(measurement: Measurement) -> Task:
    """Do it."""
    return named_task(TaskKind.MEASURE, {"school": measurement.school, "measurement": measurement.id})


def _is_it(one: Measurement, wish: MeasurementOrder) -> bool:
    return one.state is MeasurementState.WAITING and (one.n, one.seed) == (wish.n, wish.seed)


def _new(wish: MeasurementOrder, earlier: list[Measurement], measuring: MeasuringContext) -> Measurement:
    """Of two who ask in one moment, both find the same one."""
    after = earlier[0].id if earlier else ""
    id = fingerprint(wish.school, wish.kind, wish.about, str(wish.n), str(wish.seed), after, digits=16)
    new = Measurement(wish.school, id, wish.kind, wish.about, wish.n, wish.seed, wish.by, measuring.now())
    measuring.store.add(new)
    return measuring.store.find(wish.school, id)


def calibrate_texts(
    measurement: Measurement, measuring: MeasuringContext, progress: Callable[[int, int], None]
) -> dict[str, Any]:
    """As the command does with the same number and seed. Raises as it does."""
    collection = Collection(measurement.about)
    services, plan = measuring.shelves[collection], measuring.plan_of(collection)
    found = calibrate(measurement.school, services, plan, number=measurement.n, seed=measurement.seed, progress=progress)
    told: dict[str, Any] = CALIBRATION.dump_python(found, mode="json")
    return told


BY_RULES = "rules"

MISSES = 6  # of a level, that are shown

Progress = Callable[[int, int], None]


@dataclass(frozen=True, slots=True)
class VariantResult:
    """What a variant says, the place of its sentence among the candidates, from 1, None where it is not one of them, and the
    sentence that was found first."""

    said: str
    rank: int | None
    sought: SentenceId | None
    first: SentenceId | None


def evaluate_book(measurement: Measurement, measuring: MeasuringContext, progress: Progress) -> dict[str, Any]:
    """levels: figures by level, those of `chapterverse evaluate` by the same cases; misses: some by level; cases: lines of a
    file of variants. Raises NotFound, and every RetryableError of the ports: what was written until then is kept."""
    services = measuring.shelves[Collection.BOOKS]
    by, told, total = cases_for(measurement, measuring, progress)
    cases = [case for case in told if case]
    if not cases:
        raise NotFound("no_variants_usable", sentences=len(told))
    library = open_library(Scope(measurement.school), services, measuring.plan, BookId(measurement.about))
    judged = VariantJudge(library, [Variant.model_validate(case) for case in cases], progress, total)
    found = {level: list(judged.level(level, at)) for at, level in enumerate(LEVELS)}
    return {
        "by": by,
        "drawn": len(told),
        "dropped": len(told) - len(cases),
        "sentences": sum(book.sentences for book in library.opened.values()),
        "levels": {level: asdict(level_figures([one.rank for one in each])) for level, each in found.items()},
        "misses": {level: list(misses_json(each, measurement.school, services)) for level, each in found.items()},
        "cases": cases,
    }


def cases_for(measurement: Measurement, measuring: MeasuringContext, progress: Progress) -> tuple[str, list[Case | None], int]:
    """Who made them; a line of a file of variants of each sentence drawn, None for one dropped; steps in all."""
    wanted = SentenceSample(measurement.school, BookId(measurement.about), measurement.n, measurement.seed)
    services, paid = measuring.shelves[Collection.BOOKS], measuring.paid
    if paid is None:
        cases = list(cases_by_rules(wanted, services))
        return BY_RULES, cases, len(cases) * (1 + len(LEVELS))
    series = open_series(wanted, services, paid)
    total = len(series.drawn) * (1 + len(LEVELS))
    done = len(series.drawn) - series.left()
    progress(done, total)
    for number, _ in enumerate(series.make(), start=1):
        progress(done + number, total)
    return paid.model.model, series.cases(), total


def cases_by_rules(wanted: SentenceSample, services: CollectionServices) -> Iterator[Case | None]:
    """Of the sentences that a language model would be asked about."""
    shelved = show_book(wanted.school, wanted.book, services)
    if shelved.active is None:
        raise NotFound("book_not_ready")
    for sentence in draw(indexed(load_book(services.bucket, shelved.active.key)), wanted.n, wanted.seed):
        made = words_left_out(sentence.text, wanted.seed)
        name = {"id": sentence.id, "book": stem_of(shelved), "chapter": sentence.address.chapter.name}
        yield {**name, "sentence": sentence.text, **made} if made else None


@dataclass(frozen=True)
class VariantJudge:
    """total: steps, of which those before the first level are done."""

    library: OpenLibrary
    variants: Sequence[Variant]
    progress: Progress
    total: int

    def level(self, level: str, at: int) -> Iterator[VariantResult]:
        """Every variant of it, found first or not."""
        before = self.total * (1 + at) // (1 + len(LEVELS))
        for number, (variant, hits) in enumerate(found_for(self.variants, level, self.library)):
            if number % self.library.queries_at_once == 0:
                self.progress(before + number, self.total)
            yield self._judged(getattr(variant, level), variant, hits)

    def _judged(self, said: str, variant: Variant, hits: Sequence[Hit]) -> VariantResult:
        sought = self.library.books.ids(variant.book, variant.sentence)
        return VariantResult(said, rank_in(hits, sought), min(sought, default=None), hits[0].record.id if hits else None)


def misses_json(judged: Sequence[VariantResult], school: str, services: CollectionServices) -> Iterator[dict[str, Any]]:
    """Some of those not found first, the furthest off before the others."""
    missed = sorted((one for one in judged if one.rank != 1), key=lambda one: -(one.rank or 10**9))
    for one in missed[:MISSES]:
        sought, first = (_passage(id, school, services) for id in (one.sought, one.first))
        yield {"said": one.said, "rank": one.rank, "sought": sought, "found": first}


def _passage(id: SentenceId | None, school: str, services: CollectionServices) -> dict[str, Any] | None:
    return PassageRecord(**PassageRecord.fields_of(find_passage(school, id, services))).model_dump() if id else None


DO: Mapping[Measured, Callable[[Measurement, MeasuringContext, Progress], dict[str, Any]]] = {
    Measured.EVALUATION: evaluate_book,
    Measured.CALIBRATION: calibrate_texts,
}

log = logging.getLogger(__name__)


def run_measurement(task: Task, attempt: int, measuring: MeasuringContext) -> None:
    """Do it, and keep what came out, or why nothing did. Done twice, it comes out the same.

    attempt: which delivery this is, from 1. Raises RetryableError, BadRequest as `understood` does, and whatever is a bug of
    ours: it is to be delivered again; beyond measuring.attempts it is given up."""
    if (which := understood(task, _which, attempt, measuring.attempts)) is None:
        return
    with suppress(NotFound):  # it was removed
        measurement = measuring.store.find(*which)
        if measurement.state is MeasurementState.WAITING:
            measuring.store.change(_ended(measurement, attempt, measuring))


def _which(body: Body) -> tuple[str, str]:
    return text_in(body, "school"), text_in(body, "measurement")


def _ended(measurement: Measurement, attempt: int, measuring: MeasuringContext) -> Measurement:
    if attempt > measuring.attempts:
        return _failed(measurement, message("measurement_gave_up", attempts=measuring.attempts))
    try:
        result = DO[measurement.kind](measurement, measuring, _progress(measurement, measuring))
    except PermanentError as error:
        log.warning("measurement failed", extra={"school": measurement.school, "error": error.code})
        return _failed(measurement, error.message)
    except RetryableError as error:
        measuring.store.change(replace(measurement, message=error.message))
        raise
    told, reached = json.dumps(result, ensure_ascii=False), measuring.store.find(measurement.school, measurement.id)
    return replace(reached, done=reached.total, state=MeasurementState.DONE, message=None, result=told)


def _failed(measurement: Measurement, why: Message) -> Measurement:
    return replace(measurement, state=MeasurementState.FAILED, message=why)


def _progress(measurement: Measurement, measuring: MeasuringContext) -> Progress:
    def note(done: int, total: int) -> None:
        measuring.store.change(replace(measurement, done=done, total=total, message=None))

    return note
