"""An app before it answers anything: what every request to any app of ours goes through."""

from flask import Flask, Response

from chapterverse.observability.traces import TracedApp
from chapterverse.web.problems import answer_with_problems
from chapterverse.web.request_ids import name_requests
from chapterverse.web.request_log import log_requests

SAFE = {  # an answer is data: nothing in it is ever run, framed, guessed at, or kept by those on the way
    "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "Strict-Transport-Security": "max-age=31536000",
    "X-Content-Type-Options": "nosniff",
}


def bare_app(body_bytes: int) -> Flask:
    """An app that answers nothing yet, but every error as a problem, with the request's id; body_bytes: the most taken."""
    app = Flask("chapterverse", static_folder=None)
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
