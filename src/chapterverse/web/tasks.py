"""Tasks from Cloud Tasks: POST with a JSON body and a token of the sending account."""

import logging
from collections.abc import Callable
from http import HTTPStatus

from flask import Flask, Response, request
from pydantic import TypeAdapter, ValidationError

from chapterverse.core.tasks import Task, TaskKind
from chapterverse.web.limits import Gate

TASK_BODY = TypeAdapter(dict[str, str | int])
NAME, RETRIES = "X-CloudTasks-TaskName", "X-CloudTasks-TaskRetryCount"

Run = Callable[[Task, int], None]
"""Runs a task; the number of this delivery counts from 1."""

log = logging.getLogger(__name__)


def offer(app: Flask, path: str, admit: Callable[[str], object], gate: Gate, answer: Callable[[], Response]) -> None:
    """Add a POST route for services whose Authorization header `admit` accepts."""

    def view() -> Response:
        admit(request.headers.get("Authorization", ""))
        return gate.through(answer)  # type: ignore[return-value]  # Gate returns what it is given

    app.add_url_rule(path, path, view, methods=["POST"])


def do_task(run: Run, kind: TaskKind) -> Response:
    """Run the task in the request. After an error, Cloud Tasks delivers it again."""
    name, attempt = request.headers.get(NAME, ""), 1 + request.headers.get(RETRIES, 0, int)
    run(Task(name, kind, _body()), attempt)
    log.info("task done", extra={"task": name})
    return Response(status=HTTPStatus.NO_CONTENT)


def _body() -> dict[str, str | int]:
    """The body; empty if it is not an object of strings and integers, which the task itself then reports."""
    try:
        return TASK_BODY.validate_json(request.get_data(), strict=True)
    except ValidationError:
        return {}
