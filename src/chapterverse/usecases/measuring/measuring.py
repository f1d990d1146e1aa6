"""Measurements as teachers see them: asked for, watched, compared, forgotten."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime

from chapterverse.errors import BadRequest
from chapterverse.model import Collection, Measured, Measurement, MeasurementState, Task, TaskKind
from chapterverse.model.service import TASK_ATTEMPTS
from chapterverse.names import fingerprint
from chapterverse.ports import MeasurementStore, TaskQueue
from chapterverse.retrieval.plan import DOCUMENT_QA, ESSAY_FEEDBACK, HELPDESK, TEXTBOOK_CHAT, RetrievalPlan
from chapterverse.usecases.kept_feedback import utc_now
from chapterverse.usecases.services import Services
from chapterverse.usecases.tasks import named_task
from chapterverse.usecases.writing import PaidModel

PLANS: Mapping[Collection, RetrievalPlan] = {
    Collection.DOCUMENTS: DOCUMENT_QA,
    Collection.TEXTBOOK: TEXTBOOK_CHAT,
    Collection.HELPDESK: HELPDESK,
}
"""How questions are looked up that are asked of these."""


@dataclass(frozen=True)
class Measuring:
    """shelves: services of every collection, their embedder in the bulk lane. plan: of essays, for which there is time enough;
    paid: what writes variants, None where rules do. attempts: at one measurement."""

    store: MeasurementStore
    queue: TaskQueue
    shelves: Mapping[Collection, Services]
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
class Wish:
    """What is to be measured, and for whom: see Measurement."""

    school: str
    kind: Measured
    about: str
    n: int
    seed: int
    by: str


def begin(wish: Wish, measuring: Measuring) -> Measurement:
    """Asked for, to be done in the background; the same again, while it is under way, is the same measurement.

    Raises CatalogUnavailable, QueueUnavailable."""
    earlier = measuring.store.of_school(wish.school, wish.kind, wish.about)
    measurement = next((one for one in earlier if _is_it(one, wish)), None) or _new(wish, earlier, measuring)
    measuring.queue.add(measure_task(measurement))
    return measurement


def resume(measuring: Measuring) -> None:
    """Ask again for what is under way, by a process that kept its tasks in memory. To be called at the start."""
    for measurement in measuring.store.waiting():
        measuring.queue.add(measure_task(measurement))


def measure_task(measurement: Measurement) -> Task:
    """Do it."""
    return named_task(TaskKind.MEASURE, {"school": measurement.school, "measurement": measurement.id})


def _is_it(one: Measurement, wish: Wish) -> bool:
    return one.state is MeasurementState.WAITING and (one.n, one.seed) == (wish.n, wish.seed)


def _new(wish: Wish, earlier: list[Measurement], measuring: Measuring) -> Measurement:
    """Of two who ask in one moment, both find the same one."""
    after = earlier[0].id if earlier else ""
    id = fingerprint(wish.school, wish.kind, wish.about, str(wish.n), str(wish.seed), after, digits=16)
    new = Measurement(wish.school, id, wish.kind, wish.about, wish.n, wish.seed, wish.by, measuring.now())
    measuring.store.add(new)
    return measuring.store.find(wish.school, id)
