"""Errors as application/problem+json (RFC 9457), without users' text, and an id for each request in responses and logs."""

import errno
import json
import logging
import re
from collections.abc import Iterator
from http import HTTPStatus
from pathlib import Path
from traceback import walk_tb
from typing import Any
from uuid import uuid4

from flask import Flask, Response, g, request
from pydantic import BaseModel, Field, ValidationError
from werkzeug.exceptions import HTTPException, MethodNotAllowed
from werkzeug.routing import RequestRedirect

from chapterverse.core.errors import (
    BadRequest,
    BucketUnavailable,
    ChapterverseError,
    RetryableError,
    StorageFull,
    Unauthenticated,
    code_of,
    is_about_disk,
    is_about_full_disk,
)
from chapterverse.messages import Message, to_json
from chapterverse.web.language import in_readers_words

HEADER = "X-Request-Id"
_VALID = re.compile(r"[A-Za-z0-9._-]{1,64}", re.ASCII)


def name_requests(app: Flask) -> None:
    """Give each request an id, the caller's own if it is valid, and send it with the response."""
    app.before_request(_name)
    app.after_request(_tell)


def request_id() -> str:
    """The id of the current request."""
    return str(g.request_id)


def _name() -> None:
    given = request.headers.get(HEADER, "")
    g.request_id = given if _VALID.fullmatch(given) else uuid4().hex


def _tell(response: Response) -> Response:
    response.headers[HEADER] = request_id()
    return response


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
        self.errors = list(_invalid_fields(cause))


def answer_with_problems(app: Flask) -> None:
    """Answer every error with a problem."""
    app.register_error_handler(ChapterverseError, respond)
    app.register_error_handler(HTTPException, of_http)
    app.register_error_handler(Exception, respond)


def respond(error: Exception) -> Response:
    """The response to a request that failed with this error."""
    if is_about_full_disk(error):
        error = StorageFull("storage_full", retry_after=DISK_SECONDS)
    elif is_about_disk(error, {errno.EROFS}, "readonly database"):
        error = BucketUnavailable("storage_read_only", retry_after=DISK_SECONDS)
    return _response(problem_of(error), _headers(error))


def problem_of(error: Exception) -> Problem:
    """The problem of an error. An unexpected error is logged, and nothing of it is shown."""
    if isinstance(error, ChapterverseError):
        return _problem(error.status, error.code, title_of(type(error)), error.message)
    if isinstance(error, InvalidRequest):
        return _problem(BadRequest.status, code_of(BadRequest), title_of(BadRequest), Message("fields_invalid"), error.errors)
    log.error("%s at %s", type(error).__name__, where(error), extra={"request": request_id()})
    return _problem(500, INTERNAL, "A defect of ours or of the machine.", Message("defect"))


def where(error: BaseException) -> str:
    """The lines of our code in the traceback, outermost first, without the message, which may quote a user's text."""
    frames = ((Path(frame.f_code.co_filename), line) for frame, line in walk_tb(error.__traceback__))
    ours = [f"{path.relative_to(_PACKAGE)}:{line}" for path, line in frames if path.is_relative_to(_PACKAGE)]
    return " > ".join(ours) or "no code of ours"


def title_of(error: type[ChapterverseError]) -> str:
    """The first line of the class's docstring."""
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


def _problem(status: int, code: str, title: str, what: Message, errors: list[Invalid] | None = None) -> Problem:
    return Problem(
        type=f"urn:chapterverse:problem:{code}",
        title=title,
        status=status,
        detail=in_readers_words(what),
        code=code,
        id=what.id,
        values=to_json(what)["values"],
        request_id=request_id(),
        errors=errors,
    )


def _response(problem: Problem, headers: dict[str, str]) -> Response:
    body = json.dumps(problem.model_dump(mode="json", exclude_none=True), ensure_ascii=False)
    return Response(body, problem.status, headers, content_type=MEDIA_TYPE)


def _headers(error: Exception) -> dict[str, str]:
    if isinstance(error, RetryableError):
        return {"Retry-After": str(error.retry_after)}
    return {"WWW-Authenticate": "Bearer"} if isinstance(error, Unauthenticated) else {}


def _invalid_fields(error: ValidationError) -> Iterator[Invalid]:
    for each in error.errors(include_url=False, include_context=False, include_input=False):
        parts = (str(part) if _FIELD.fullmatch(str(part)) else "?" for part in each["loc"])
        yield Invalid(pointer="".join(f"/{part}" for part in parts), message=each["msg"])
