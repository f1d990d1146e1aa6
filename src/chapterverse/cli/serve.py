"""`chapterverse serve`: the HTTP interface on this machine."""

from __future__ import annotations

import logging
from contextlib import suppress
from functools import partial
from threading import Event, Thread
from typing import TYPE_CHECKING, Annotated, Any

import typer

from chapterverse import composition
from chapterverse.cli.session import settings
from chapterverse.cli.terminal import print_line

if TYPE_CHECKING:
    from flask import Flask

    from chapterverse.essays.batch.context import BatchContext
    from chapterverse.evaluation.measurements import MeasuringContext
    from chapterverse.operations.retention import Retention
    from chapterverse.settings import Settings
    from chapterverse.web.context import AppContext

SPARE = 16  # threads beyond the requests that are answered: they send the others away, and tell whether all is well

DAY = 24 * 3600  # seconds

GRACE = 30  # seconds that open requests have when the program is told to end


def serve(
    host: Annotated[str, typer.Option(help="Address to listen at; 0.0.0.0 for every one that the machine has.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=1, max=65535, help="Port to listen at.")] = 8080,
    address: Annotated[str | None, typer.Option(help="Where clients reach it; else http://HOST:PORT.")] = None,
) -> None:
    """Answer over HTTP. Uploaded PDFs are taken in by the same process, unless the settings name a queue."""
    from chapterverse.cli.server import run
    from chapterverse.infrastructure.telemetry.logs import start_logging

    start_logging(logging.WARNING)  # of tasks that fail, too: nobody else would tell
    at = address or f"http://{host}:{port}"
    s = settings()
    print_line(f"Chapterverse answers at {at}; what can be asked is told at {at}/api/v1/openapi.json.")
    print_line("Each request needs a key: chapterverse keys create --scope teacher")
    print_line("Who comes by a browser needs a link: chapterverse people invite EMAIL --role teacher")
    limits = composition.http_limits(s)
    run(partial(app_at, at, s), f"{host}:{port}", limits.open_requests + limits.open_streams + SPARE, GRACE)


def app_at(address: str, s: Settings) -> Flask:
    """The app with all that the settings choose; what was left undone when it last ended is under way again."""
    from chapterverse.web.app import create_app

    context = composition.web(s, address)
    Thread(target=forget_daily, args=(context.retention,), daemon=True).start()
    if not s.queue:
        start_tasks(context, context.intake.queue, s.school)
        start_batches(context.batches, context.batches.queue)
        start_measurements(context.measuring, context.measuring.queue)
    return create_app(context)


def forget_daily(retention: Retention, end: Event | None = None) -> None:
    """Now, and every day until the end, forget what has been kept long enough; on a day that a store does not answer, try the
    next day."""
    from chapterverse.core.errors import RetryableError
    from chapterverse.operations.retention import forget_old

    ended = end or Event()
    while True:
        with suppress(RetryableError):
            forget_old(retention)
        if ended.wait(DAY):
            return


def start_tasks(context: AppContext, queue: Any, school: str) -> None:
    """Do the tasks in this process, and first those that an earlier one has left."""
    from chapterverse.core.errors import RetryableError
    from chapterverse.library.indexing import repair_index
    from chapterverse.library.intake import resume
    from chapterverse.operations.tasks import run_task
    from chapterverse.questions.faq import publish_all

    uploaded = {file.name.partition("/")[0] for file in context.intake.uploads.files("")}
    for each in sorted(uploaded | {school}):
        for intake in (context.intake, *context.intake.others.values()):
            repair_index(each, intake.services)
            resume(each, intake)
        with suppress(RetryableError):  # then they are, with the department's next change
            publish_all(each, context.helpdesk)
    queue.start(partial(run_task, intake=context.intake))


def start_batches(context: BatchContext, queue: Any) -> None:
    """Do the essays of batches in this process, and first those of batches that an earlier one has left under way."""
    from chapterverse.essays.batch.service import resume_batches
    from chapterverse.essays.batch.tasks import run_batch_task

    resume_batches(context)
    queue.start(partial(run_batch_task, context=context))


def start_measurements(measuring: MeasuringContext, queue: Any) -> None:
    """Do in this process what is measured, and first what an earlier one has left under way."""
    from chapterverse.evaluation.measurements import resume, run_measurement

    resume(measuring)
    queue.start(partial(run_measurement, context=measuring))
