"""The Cloud Function run_nightly_batches, called by Cloud Scheduler and Cloud Tasks.

POST / begins the waiting batches of all schools, and deletes what has expired. POST /v1/essay, /v1/predict
and /v1/hand_in run a task of Cloud Tasks."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from flask import Flask, Response, jsonify

from chapterverse.core.tasks import Task, TaskKind
from chapterverse.essays.batch.context import BatchContext
from chapterverse.essays.batch.service import begin_all, run_batch_task
from chapterverse.lti.hand_ins import HandInContext, run_hand_in
from chapterverse.operations.retention import Retention, forget_old
from chapterverse.web.bare import bare_app, do_task, offer
from chapterverse.web.limits import Gate

MAX_BODY_BYTES = 2**16


@dataclass(frozen=True, slots=True)
class BatchWork:
    """What the function needs. admit: takes the Authorization header, or "", and raises Unauthenticated or Forbidden.
    open_requests: maximum at once. hand_ins: None without learning platforms."""

    retention: Retention
    admit: Callable[[str], object]
    open_requests: int = 64
    hand_ins: HandInContext | None = None


def create_batch_app(work: BatchWork) -> Flask:
    """The function as a WSGI app."""
    app, gate = bare_app(MAX_BODY_BYTES), Gate(work.open_requests)

    def begin() -> Response:
        begun = begin_all(work.retention.batches)
        forget_old(work.retention)
        return jsonify(begun=[batch.key.batch for batch in begun])

    offer(app, "/", work.admit, gate, begin)
    run = partial(run_essay_task, batches=work.retention.batches, hand_ins=work.hand_ins)
    for kind in (TaskKind.ESSAY, TaskKind.PREDICT, *([TaskKind.HAND_IN] if work.hand_ins else [])):
        offer(app, f"/v1/{kind}", work.admit, gate, partial(do_task, run, kind))
    return app


def run_essay_task(task: Task, attempt: int, *, batches: BatchContext, hand_ins: HandInContext | None) -> None:
    """Run a task of batches or of what was handed in at a learning platform. Raises as those do."""
    if task.kind is TaskKind.HAND_IN and hand_ins:
        run_hand_in(task, attempt, hand_ins)
    else:
        run_batch_task(task, attempt, batches)
