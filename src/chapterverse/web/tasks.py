"""Tasks as Cloud Tasks brings them: POST with the body as JSON and a token of the account that sends it."""

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

"""Does a task, told how often it was delivered, from 1."""

log = logging.getLogger(__name__)


def offer(app: Flask, path: str, admit: Callable[[str], object], gate: Gate, answer: Callable[[], Response]) -> None:
    """POST there, for services whose Authorization header `admit` takes."""

    def view() -> Response:
        admit(request.headers.get("Authorization", ""))
        return gate.through(answer)  # type: ignore[return-value]  # what comes out went in

    app.add_url_rule(path, path, view, methods=["POST"])


def do_task(run: Run, kind: TaskKind) -> Response:
    """The task in the request, done. An error is for Cloud Tasks: it delivers the task again."""
    name, attempt = request.headers.get(NAME, ""), 1 + request.headers.get(RETRIES, 0, int)
    run(Task(name, kind, _body()), attempt)
    log.info("task done", extra={"task": name})
    return Response(status=HTTPStatus.NO_CONTENT)


def _body() -> dict[str, str | int]:
    """Empty where it is no object of words and numbers: who does the task says what that lacks, and knows when to give up."""
    try:
        return TASK_BODY.validate_json(request.get_data(), strict=True)
    except ValidationError:
        return {}
