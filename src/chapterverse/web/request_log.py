"""One line a request: which operation, whose, how it ended, how long it took. Never what was asked or answered."""

import logging
import time

from flask import Flask, Response, g, request

from chapterverse.web.request_ids import request_id

log = logging.getLogger(__name__)


def log_requests(app: Flask) -> None:
    """Note each request when its answer begins."""
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
