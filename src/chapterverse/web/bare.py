"""What every app of ours has: problems as errors, safe headers, request ids, and one log line per request without its
content; and how the apps of the cloud take tasks from Cloud Tasks: POST with a JSON body and a token of the sending account."""

import logging
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextvars import Context
from dataclasses import dataclass, replace
from http import HTTPStatus
from typing import TYPE_CHECKING

from flask import Flask, Response, g, request
from pydantic import TypeAdapter, ValidationError
from werkzeug.routing import Rule
from werkzeug.wrappers import Response as BaseResponse

from chapterverse.core.ports import TaskQueue
from chapterverse.core.tasks import Task, TaskKind, named_task
from chapterverse.infrastructure.logs import TracedApp
from chapterverse.web.limits import Gate
from chapterverse.web.problems import answer_with_problems, name_requests, request_id

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication, WSGIEnvironment

log = logging.getLogger(__name__)


def log_requests(app: Flask) -> None:
    """Log each request when its response begins."""
    app.before_request(_begin)
    app.after_request(_note)


def _begin() -> None:
    g.began = time.perf_counter()


def _note(response: Response) -> Response:
    facts = {
        "request": request_id(),
        "school": g.get("school"),
        "status": response.status_code,
        "total_ms": round(1000 * (time.perf_counter() - g.began)),
    }
    log.info("%s %s", request.method, request.url_rule or "nowhere", extra=facts)
    return response


SAFE = {  # a response is data: browsers must not run, frame or guess it, caches must not keep it
    "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "Strict-Transport-Security": "max-age=31536000",
    "X-Content-Type-Options": "nosniff",
}


class MatchedRule(Rule):
    """A rule that finds the view for a path, and makes no path for a view: nothing here asks for one, and compiling the two
    functions for it takes half of the time in which an app starts. It replaces an inner method of werkzeug's; if werkzeug
    renames that, the app works and starts as slowly as before."""

    def _compile_builder(self, append_unknown: bool = True) -> Callable[..., tuple[str, str]]:  # noqa: ARG002  # werkzeug's name
        return _build_nothing


def _build_nothing(*_: object, **__: object) -> tuple[str, str]:
    raise NotImplementedError("paths are written out; url_for is not used")


def bare_app(body_bytes: int) -> Flask:
    """An app without routes. body_bytes: maximum size of a request's body."""
    app = Flask("chapterverse", static_folder=None)
    app.url_rule_class = MatchedRule
    app.config["MAX_CONTENT_LENGTH"] = body_bytes
    app.config["PROVIDE_AUTOMATIC_OPTIONS"] = False
    app.url_map.strict_slashes = False
    app.url_map.merge_slashes = False
    name_requests(app)
    answer_with_problems(app)
    app.after_request(_make_safe)
    log_requests(app)
    app.wsgi_app = TracedApp(app.wsgi_app)  # type: ignore[method-assign]
    return app


def _make_safe(response: Response) -> Response:
    for name, value in SAFE.items():
        response.headers.setdefault(name, value)
    response.headers.setdefault("Cache-Control", "no-store")
    return response


@dataclass(frozen=True)
class Isolated:
    """An app inside another: each request runs in a context of its own, because Flask's context of a streamed response would
    outlive that of the outer app."""

    app: "WSGIApplication"

    def __call__(self, environ: "WSGIEnvironment", start_response: "StartResponse") -> "IsolatedResponse":
        context = Context()
        return IsolatedResponse(context, context.run(self.app, environ, start_response))


class IsolatedResponse(Iterator[bytes]):
    """A response whose parts are all made in that context."""

    def __init__(self, context: Context, answer: Iterable[bytes]) -> None:
        self._context, self._answer = context, answer
        self._parts = context.run(iter, answer)

    def __next__(self) -> bytes:
        return self._context.run(next, self._parts)

    def close(self) -> None:
        """Close the response (PEP 3333)."""
        if hasattr(self._answer, "close"):
            self._context.run(self._answer.close)


TASK_BODY = TypeAdapter(dict[str, str | int])
NAME, RETRIES = "X-CloudTasks-TaskName", "X-CloudTasks-TaskRetryCount"
TURN, FAILURES = "turn", "failures"  # in the body of a task that was put off: how often, and its failed deliveries until then

Run = Callable[[Task, int], None]
"""Runs a task; the number of this delivery counts from 1."""


def offer(app: Flask, path: str, admit: Callable[[str], object], gate: Gate, answer: Callable[[], BaseResponse]) -> None:
    """Add a POST route for services whose Authorization header `admit` accepts."""

    def view() -> BaseResponse:
        admit(request.headers.get("X-Serverless-Authorization") or request.headers.get("Authorization", ""))  # as Cloud Run
        return gate.through(answer)

    app.add_url_rule(path, path, view, methods=["POST"])


def do_task(run: Run, kind: TaskKind) -> Response:
    """Run the task in the request. After an error, Cloud Tasks delivers it again."""
    name, body = request.headers.get(NAME, ""), _body()
    run(Task(name, kind, body), 1 + failures(body))
    log.info("task done", extra={"task": name})
    return Response(status=HTTPStatus.NO_CONTENT)


def failures(body: Mapping[str, str | int]) -> int:
    """Failed deliveries of the task in the request, also of those that it comes instead of (`do_later`)."""
    return request.headers.get(RETRIES, 0, int) + int(body.get(FAILURES, 0))


def do_later(queue: TaskQueue, kind: TaskKind, seconds: int) -> Response:
    """Queue the task in the request anew, and end this one: Cloud Tasks would count a refusal as a failed delivery."""
    body = _body()
    later = {**body, TURN: int(body.get(TURN, 0)) + 1, FAILURES: failures(body)}
    queue.add(replace(named_task(kind, later), wait=seconds))
    return Response(status=HTTPStatus.NO_CONTENT)


def _body() -> dict[str, str | int]:
    """The body; empty if it is not an object of strings and integers, which the task itself then reports."""
    try:
        return TASK_BODY.validate_json(request.get_data(), strict=True)
    except ValidationError:
        return {}
