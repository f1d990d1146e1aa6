"""The app: all operations and pages, and health checks."""

from functools import cache
from typing import Any

from flask import Flask, Response, jsonify

from chapterverse.accounts import api as accounts
from chapterverse.accounts import pages as account_pages
from chapterverse.assignments import api as assignments
from chapterverse.assignments import pages as assignment_pages
from chapterverse.core.errors import BucketUnavailable
from chapterverse.core.requests import PREFIX
from chapterverse.essays import api as essays
from chapterverse.essays import pages as essay_pages
from chapterverse.essays.batch import api as batches
from chapterverse.lectures import api as lectures
from chapterverse.lectures import pages as lecture_pages
from chapterverse.library import api as library
from chapterverse.library import pages as library_pages
from chapterverse.lti import pages as lti_pages
from chapterverse.questions import api as questions
from chapterverse.questions import pages as question_pages
from chapterverse.web.auth import Authenticator
from chapterverse.web.bare import bare_app
from chapterverse.web.context import AppContext
from chapterverse.web.frame import WebSite, offer_assets, pack
from chapterverse.web.limits import RETRY_SECONDS, Gate, RateLimit
from chapterverse.web.openapi import document
from chapterverse.web.operations import ApiTopic, Dispatcher, Operation

OPERATIONS: tuple[Operation, ...] = tuple(
    operation
    for module in (essays, library, batches, questions, lectures, accounts, assignments)
    for topic in vars(module).values()
    if isinstance(topic, ApiTopic)
    for operation in topic.operations
)


PAGES = (account_pages, assignment_pages, essay_pages, lecture_pages, library_pages, lti_pages, question_pages)
PEOPLE_OF_SCHOOL = 50  # as many ask at their full rate by the keys of one school at once
MIN_FREE = 64 * 2**20  # bytes: below them the database may soon not be written


@cache
def described() -> dict[str, Any]:
    """The OpenAPI document, made at its first request: making it takes longer than starting the app."""
    return document(OPERATIONS)


def create_app(context: AppContext) -> Flask:
    limits, rates = context.limits, context.rates
    app = bare_app(limits.body_bytes)
    authenticator = Authenticator(
        context,
        RateLimit(limits.requests_per_minute, rates),
        RateLimit(limits.segments_per_minute, rates, "lecture segments"),
        RateLimit(PEOPLE_OF_SCHOOL * limits.requests_per_minute, rates, "requests of school", who="one_school"),
    )
    dispatcher = Dispatcher(
        context, authenticator, Gate(limits.open_requests, RETRY_SECONDS), Gate(limits.open_streams, RETRY_SECONDS)
    )
    for operation in OPERATIONS:
        dispatcher.offer(operation, app)
    app.add_url_rule(f"{PREFIX}/openapi.json", "openapi", lambda: jsonify(described()))
    app.after_request(pack)
    offer_health(app, context)
    site = WebSite(app, context)
    offer_assets(app)
    for module in PAGES:
        for offer in module.pages.offered:
            offer(site)
    site.show_problems()
    return app


def offer_health(app: Flask, context: AppContext) -> None:
    """GET /health: the process answers. GET /ready: catalog and index answer too, and the disk has room and can be written,
    else 503 with a problem."""

    def ready() -> Response:
        if context.free_bytes() < MIN_FREE:
            raise BucketUnavailable("storage_full")
        if not context.is_writable():
            raise BucketUnavailable("storage_read_only")
        context.services.reach()
        return jsonify(status="ok")

    app.add_url_rule("/health", "health", lambda: jsonify(status="ok"))
    app.add_url_rule("/ready", "ready", ready)
