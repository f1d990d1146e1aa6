"""What every app of ours has: errors as application/problem+json (RFC 9457), without users' text; an id for each request in
responses and logs, and one log line without its content; safe headers; and how the apps of the cloud take tasks from Cloud
Tasks: POST with a JSON body and a token of the sending account."""

import errno
import json
import logging
import re
import time
from collections.abc import Callable, Iterator, Mapping
from contextvars import Context
from dataclasses import replace
from http import HTTPStatus
from pathlib import Path
from traceback import walk_tb
from typing import TYPE_CHECKING, Any, TypeVar
from uuid import uuid4

from flask import Flask, Response, g, request
from pydantic import BaseModel, Field, ValidationError
from werkzeug.exceptions import HTTPException, MethodNotAllowed, UnsupportedMediaType
from werkzeug.routing import RequestRedirect, Rule
from werkzeug.wrappers import Response as BaseResponse

from chapterverse.core import errors
from chapterverse.core.ports import TaskQueue
from chapterverse.core.requests import adapter
from chapterverse.core.tasks import Task, TaskKind, named_task
from chapterverse.messages import Message, to_json
from chapterverse.web.language import in_readers_words
from chapterverse.web.limits import Gate

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication, WSGIEnvironment


HEADER = "X-Request-Id"
_VALID = re.compile(r"[A-Za-z0-9._-]{1,64}", re.ASCII)


def request_id() -> str:
    return str(g.request_id)


MEDIA_TYPE = "application/problem+json"
INTERNAL = "internal"
TOO_LARGE = "body_too_large"

WHAT_TO_DO = {  # ids of messages
    404: "http_not_found",
    405: "http_method_not_allowed",
    406: "http_not_acceptable",
    413: TOO_LARGE,
    415: "http_unsupported_media_type",
}

DISK_SECONDS = 60  # until another try

CODES = {413: "too_large"}  # as of our own error
NO_MATCH = "Input should not be empty, and of the form in /api/v1/openapi.json"
_FIELD = re.compile(r"\w{1,40}", re.ASCII)
_PACKAGE = Path(__file__).parents[1]
log = logging.getLogger(__name__)


class Invalid(BaseModel):
    """An invalid field of the request. pointer: RFC 6901; a part that is no field name is "?"."""

    pointer: str
    message: str


class Problem(BaseModel):
    """What went wrong (RFC 9457). code (the kind) and id (what exactly) are for programs; detail says what to do,
    in the language that the reader prefers, English if none is named."""

    type: str = Field(description="urn:chapterverse:problem:{code}")
    title: str
    status: int
    detail: str
    code: str
    id: str = Field(description="What exactly went wrong; stable, finer than code.")
    values: dict[str, Any] = Field(description="What detail names: texts, numbers, or ids with values of their own.")
    request_id: str
    errors: list[Invalid] | None = Field(None, description="Which fields are not usable, where that is the problem.")


class InvalidRequest(Exception):
    """The request has invalid fields; answered as a BadRequest that names them."""

    def __init__(self, cause: ValidationError) -> None:
        super().__init__(str(Message("fields_invalid")))
        self.invalid = list[Invalid]()
        for each in cause.errors(include_url=False, include_context=False, include_input=False):
            parts = (str(part) if _FIELD.fullmatch(str(part)) else "?" for part in each["loc"])
            said = NO_MATCH if each["type"] == "string_pattern_mismatch" else each["msg"]
            self.invalid.append(Invalid(pointer="".join(f"/{part}" for part in parts), message=said))


Model = TypeVar("Model", bound=BaseModel)


def read_body(model: type[Model]) -> Model:
    """The JSON body as a model. Raises InvalidRequest, UnsupportedMediaType."""
    if not request.is_json or request.content_encoding:  # application/json, and what ends in +json; as it is
        raise UnsupportedMediaType
    try:
        return model.model_validate_json(request.get_data())
    except ValidationError as error:
        raise InvalidRequest(error) from None  # pydantic's own error quotes what was sent


def read_query(model: type[Model]) -> Model:
    """The query as a model; of a repeated name, the first counts. Raises InvalidRequest."""
    try:
        return model.model_validate(request.args.to_dict(), extra="forbid")
    except ValidationError as error:
        raise InvalidRequest(error) from None


def respond(error: Exception) -> Response:
    """The response to a request that failed with this error."""
    if errors.is_about_full_disk(error):
        error = errors.StorageFull("storage_full", retry_after=DISK_SECONDS)
    elif errors.is_about_disk(error, {errno.EROFS}, "readonly database"):
        error = errors.BucketUnavailable("storage_read_only", retry_after=DISK_SECONDS)
    headers = {"WWW-Authenticate": "Bearer"} if isinstance(error, errors.Unauthenticated) else {}
    if isinstance(error, errors.RetryableError):
        headers = {"Retry-After": str(error.retry_after)}
    return _response(problem_of(error), headers)


def problem_of(error: Exception) -> Problem:
    """The problem of an error. An unexpected error is logged, and nothing of it is shown."""
    invalid = None
    if isinstance(error, InvalidRequest):
        invalid, error = error.invalid, errors.BadRequest("fields_invalid")
    if isinstance(error, errors.ChapterverseError):
        return _problem(error.status, error.code, title_of(type(error)), error.message, invalid)
    log.error("%s at %s", type(error).__name__, where(error), extra={"request": request_id()})
    return _problem(500, INTERNAL, "A defect of ours or of the machine.", Message("defect"))


def where(error: BaseException) -> str:
    """The lines of our code in the traceback, outermost first, without the message, which may quote a user's text."""
    frames = ((Path(frame.f_code.co_filename), line) for frame, line in walk_tb(error.__traceback__))
    ours = [f"{path.relative_to(_PACKAGE)}:{line}" for path, line in frames if path.is_relative_to(_PACKAGE)]
    return " > ".join(ours) or "no code of ours"


def title_of(error: type[errors.ChapterverseError]) -> str:
    return (error.__doc__ or "").partition("\n")[0]


def code_of_status(status: int) -> str:
    """The problem's code for an error of HTTP itself."""
    return CODES.get(status, HTTPStatus(status).name.lower())


def of_http(error: HTTPException) -> Response | HTTPException:
    """The response to a request that HTTP itself refuses; redirects stay as they are."""
    if isinstance(error, RequestRedirect) or error.code is None:
        return error
    status = HTTPStatus(error.code)
    detail = Message(WHAT_TO_DO.get(status, "http_bad_request"))
    allowed = {"Allow": ", ".join(sorted(error.valid_methods or ()))} if isinstance(error, MethodNotAllowed) else {}
    return _response(_problem(status, code_of_status(status), status.phrase, detail), allowed)


def _problem(status: int, code: str, title: str, what: Message, invalid: list[Invalid] | None = None) -> Problem:
    return Problem(
        type=f"urn:chapterverse:problem:{code}",
        title=title,
        status=status,
        detail=in_readers_words(what),
        code=code,
        id=what.id,
        values=to_json(what)["values"],
        request_id=request_id(),
        errors=invalid,
    )


def _response(problem: Problem, headers: dict[str, str]) -> Response:
    body = json.dumps(problem.model_dump(mode="json", exclude_none=True), ensure_ascii=False)
    return Response(body, problem.status, headers, content_type=MEDIA_TYPE)


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
        def build(*_: object, **__: object) -> tuple[str, str]:
            raise NotImplementedError("paths are written out; url_for is not used")

        return build


def bare_app(body_bytes: int) -> Flask:
    """An app without routes. body_bytes: maximum size of a request's body."""
    app = Flask("chapterverse", static_folder=None)
    app.url_rule_class = MatchedRule
    app.config["MAX_CONTENT_LENGTH"] = body_bytes
    app.config["PROVIDE_AUTOMATIC_OPTIONS"] = False
    app.url_map.strict_slashes = False
    app.url_map.merge_slashes = False
    app.before_request(_begin)
    app.after_request(_end)
    app.register_error_handler(errors.ChapterverseError, respond)
    app.register_error_handler(HTTPException, of_http)
    app.register_error_handler(Exception, respond)
    return app


def _begin() -> None:
    """Give the request an id: the caller's own if it is valid."""
    given = request.headers.get(HEADER, "")
    g.began, g.request_id = time.perf_counter(), given if _VALID.fullmatch(given) else uuid4().hex


def _end(response: Response) -> Response:
    """Log the request, and send its id and the safe headers with the response."""
    facts = {
        "request": request_id(),
        "school": g.get("school"),
        "status": response.status_code,
        "total_ms": round(1000 * (time.perf_counter() - g.began)),
    }
    log.info("%s %s", request.method, request.url_rule or "nowhere", extra=facts)
    response.headers[HEADER] = request_id()
    for name, value in {**SAFE, "Cache-Control": "no-store"}.items():
        response.headers.setdefault(name, value)
    return response


def isolated(app: "WSGIApplication") -> "WSGIApplication":
    """An app to be called inside another: all parts of a response are made in one context of its own, because Flask's context
    of a streamed response would outlive that of the outer app."""

    def answer(environ: "WSGIEnvironment", start_response: "StartResponse") -> Iterator[bytes]:
        context = Context()
        response = context.run(app, environ, start_response)
        parts = context.run(iter, response)
        try:
            while (part := context.run(next, parts, None)) is not None:
                yield part
        finally:
            if hasattr(response, "close"):
                context.run(response.close)

    return answer


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
        return adapter(dict[str, str | int]).validate_json(request.get_data(), strict=True)
    except ValidationError:
        return {}
