"""The Cloud Function run_nightly_batches, called by Cloud Scheduler and Cloud Tasks.

POST / begins the waiting batches of {"school": …} or of all schools, and deletes what has expired. POST /v1/essay, /v1/predict
and /v1/measure run a task of Cloud Tasks."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from flask import Flask, Response, jsonify, request

from chapterverse.core.tasks import TaskKind
from chapterverse.essays.batch.service import begin_all
from chapterverse.essays.batch.tasks import DO, run_batch_task
from chapterverse.evaluation.measurements import MeasuringContext, run_measurement
from chapterverse.library.schemas import Name
from chapterverse.operations.retention import Retention, forget_old
from chapterverse.web.bare import bare_app, do_task, offer
from chapterverse.web.limits import Gate
from chapterverse.web.operations import Request, read_body

MAX_BODY_BYTES = 2**16


class BeginAllRequest(Request):
    """The Scheduler's request. school: null for all schools."""

    school: Name | None = None


@dataclass(frozen=True, slots=True)
class BatchWork:
    """What the function needs. admit: takes the Authorization header, or "", and raises Unauthenticated or Forbidden.
    open_requests: maximum at once."""

    retention: Retention
    measuring: MeasuringContext
    admit: Callable[[str], object]
    open_requests: int = 64


def create_batch_app(work: BatchWork) -> Flask:
    """The function as a WSGI app."""
    app, gate = bare_app(MAX_BODY_BYTES), Gate(work.open_requests)
    offer(app, "/", work.admit, gate, lambda: _begin(work))
    run = partial(run_batch_task, context=work.retention.batches)
    for kind in DO:
        offer(
            app,
            f"/v1/{kind}",
            work.admit,
            gate,
            partial(do_task, run, kind),
        )
    measure = partial(do_task, partial(run_measurement, context=work.measuring), TaskKind.MEASURE)
    offer(app, f"/v1/{TaskKind.MEASURE}", work.admit, gate, measure)
    return app


def _begin(work: BatchWork) -> Response:
    """Begin the waiting batches, and delete what has expired. The Scheduler may send no body."""
    body = read_body(BeginAllRequest) if request.get_data() else BeginAllRequest()
    begun = begin_all(work.retention.batches, body.school)
    forget_old(work.retention)
    return jsonify(begun=[batch.key.batch for batch in begun])
