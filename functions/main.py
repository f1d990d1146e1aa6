"""Entry points of the Cloud Functions. Each one calls a use case; modules are imported at the first call.

A function that returns has handled its event. One that raises responds with 500, and the event is delivered again."""

from __future__ import annotations

import gc
import logging
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from functools import cache
from typing import TYPE_CHECKING

import flask
import functions_framework

from chapterverse import composition
from chapterverse.composition.ports import late
from chapterverse.core.errors import PermanentError
from chapterverse.infrastructure.logs import start_logging

if TYPE_CHECKING:
    from cloudevents.http import CloudEvent

    from chapterverse.core.tasks import StoredFile
    from chapterverse.library.services import Intake
    from chapterverse.settings import Settings

log = logging.getLogger("chapterverse.functions")
EVENT_SECONDS = 6 * 3600  # that a storage event is retried; then its file is given up
HOLD_SECONDS = 5.0  # that a request with lecture segments waits for citations: on Cloud Run threads stop between requests
gc.set_threshold(20_000)  # for what is imported outside of _importing
start_logging()


@functions_framework.cloud_event
def on_book_uploaded(event: CloudEvent) -> None:
    """A file was stored (google.cloud.storage.object.v1.finalized): parse it, and add tasks for its indexing.

    A file with pages that need text recognition is left to the worker, by a task.

    Needs roles/storage.objectViewer on the uploads, roles/storage.objectUser on the artefacts, roles/cloudtasks.enqueuer on the
    queue, and the catalog."""
    from chapterverse.library.intake import receive_file

    age = datetime.now(UTC) - datetime.fromisoformat(event["time"])
    _handle(event, _give_up if age > timedelta(seconds=EVENT_SECONDS) else receive_file)


@functions_framework.cloud_event
def on_book_deleted(event: CloudEvent) -> None:
    """A file was deleted or replaced (google.cloud.storage.object.v1.archived, because the bucket keeps versions): remove its
    book, unless there is a file of that name. Needs the same, and the index."""
    from chapterverse.library.intake import file_deleted

    _handle(event, lambda file, intake: file_deleted(file.name, intake))


@functions_framework.http
def api(request: flask.Request) -> flask.Response:
    """The HTTP interface (chapterverse.web); a streamed answer stays one."""
    from chapterverse.web.bare import isolated

    return flask.Response.from_app(isolated(_web), request.environ)


@functions_framework.http
def run_nightly_batches(request: flask.Request) -> flask.Response:
    """Batches of essays (chapterverse.operations.batch_app), called by Cloud Scheduler at the school's hour, and by Cloud Tasks
    for each essay.

    Needs roles/storage.objectViewer on the artefacts, roles/storage.objectUser on the results, roles/cloudtasks.enqueuer on the
    queue, roles/run.invoker on the embedder, the catalog, and reaches the index and the language model."""
    from chapterverse.web.bare import isolated

    return flask.Response.from_app(isolated(_batches), request.environ)


def _handle(event: CloudEvent, use_case: Callable[[StoredFile, Intake], None]) -> None:
    """Run the use case. A PermanentError is the file's fault: it is logged and not retried.

    Errors in the settings are raised, so the event is retried until they are fixed."""
    from chapterverse.core.tasks import StoredFile
    from chapterverse.library.model import collection_of

    intake_of = _intake.of  # made here, where errors in the settings are raised
    try:
        file = StoredFile(event.data["name"], str(event.data["generation"]))
        use_case(file, intake_of(collection_of(file.name)))
    except PermanentError as error:
        log.warning("%s", error, extra={"code": error.code})


def _give_up(file: StoredFile, intake: Intake) -> None:
    """Record on the file's book that it could not be read for too long."""
    from chapterverse.library.intake import refuse_file
    from chapterverse.messages import message

    refuse_file(file, "gave_up", message("file_gave_up"), intake)


@contextmanager
def _importing() -> Iterator[None]:
    """Importing makes hundreds of thousands of objects that stay: a tenth of a cold start was looking through them."""
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()
        gc.enable()


@late
@_importing()
def _batches() -> flask.Flask:
    from chapterverse.operations.batch_app import create_batch_app

    return create_batch_app(composition.batch_work(_settings()))


@late
def _intake() -> Intake:
    return composition.intake(_settings()).recognizing_for(0)  # the worker has the program and the time


@late
@_importing()
def _web() -> flask.Flask:
    from chapterverse.web.app import create_app

    return create_app(composition.app_context(_settings(), hold=HOLD_SECONDS if "K_SERVICE" in os.environ else 0.0))


@cache
def _settings() -> Settings:
    from chapterverse.settings import read_settings

    return read_settings()
