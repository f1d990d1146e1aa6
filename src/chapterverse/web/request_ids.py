"""A name for each request, by which its answer, its problem and its log lines are put together."""

import re
from uuid import uuid4

from flask import Flask, Response, g, request

HEADER = "X-Request-Id"
_VALID = re.compile(r"[A-Za-z0-9._-]{1,64}", re.ASCII)


def name_requests(app: Flask) -> None:
    """Every request has an id from here on, the caller's own where that is one, and every answer says it."""
    app.before_request(_name)
    app.after_request(_tell)


def request_id() -> str:
    """That of the request being answered."""
    return str(g.request_id)


def _name() -> None:
    given = request.headers.get(HEADER, "")
    g.request_id = given if _VALID.fullmatch(given) else uuid4().hex


def _tell(response: Response) -> Response:
    response.headers[HEADER] = request_id()
    return response
