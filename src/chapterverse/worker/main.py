"""The embedder as a program: `gunicorn "chapterverse.worker.main:app()"`, one process with many threads."""

from functools import partial

from flask import Flask

from chapterverse import composition
from chapterverse.observability.logs import start_logging
from chapterverse.observability.traces import start_tracing
from chapterverse.settings import Settings, read_settings
from chapterverse.usecases.run_task import run_task
from chapterverse.worker.app import create_app
from chapterverse.worker.metrics import Metrics
from chapterverse.worker.parts import Worker


def app() -> Flask:
    """All that the settings choose. The model is being loaded when this returns."""
    start_logging()
    start_tracing("chapterverse-embedder")
    return create_app(worker(read_settings()))


def worker(s: Settings) -> Worker:
    """Tasks are done with vectors from the bulk lane of the one model."""
    metrics = Metrics()
    lanes = composition.lanes(s, metrics)
    intake = composition.intake(s, composition.compose(s, lanes.bulk, before=composition.bulk_before(s)))
    return Worker(lanes, partial(run_task, intake=intake), composition.door(s, s.tasks_url), metrics, s.max_open_requests)
