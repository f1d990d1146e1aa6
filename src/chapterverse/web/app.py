"""The app: what each request goes through, and what can be asked."""

from flask import Flask

from chapterverse.accounts import api as accounts
from chapterverse.essays import api as essays
from chapterverse.essays.batch import api as batches
from chapterverse.evaluation import api as evaluation
from chapterverse.evaluation import settings_api
from chapterverse.lectures import api as lectures
from chapterverse.library import api as library
from chapterverse.library import deprecated_api
from chapterverse.library.api import offer_uploads
from chapterverse.lti import api as lti
from chapterverse.questions import api as questions
from chapterverse.questions import helpdesk_api
from chapterverse.web.auth import Authenticator
from chapterverse.web.bare import bare_app
from chapterverse.web.context import AppContext
from chapterverse.web.health import offer_document, offer_health
from chapterverse.web.limits import Gate, RateLimit
from chapterverse.web.operations import Dispatcher, Operation
from chapterverse.web.site import offer_site

OPERATIONS: tuple[Operation, ...] = tuple(
    operation
    for topic in (
        essays.topic,
        essays.stored,
        essays.my_essays,
        library.topic,
        library.evidence_topic,
        library.pages_topic,
        evaluation.topic,
        batches.topic,
        questions.documents_topic,
        questions.textbook_topic,
        questions.answers_topic,
        helpdesk_api.conversations_topic,
        helpdesk_api.inbox_topic,
        helpdesk_api.faq_topic,
        lectures.topic,
        helpdesk_api.departments_topic,
        settings_api.topic,
        accounts.topic,
        lti.topic,
        deprecated_api.books_topic,
        deprecated_api.uploads_topic,
        deprecated_api.documents_topic,
        deprecated_api.textbooks_topic,
    )
    for operation in topic.operations
)


def _door(context: AppContext) -> Authenticator:
    limits = context.limits
    return Authenticator(
        context,
        RateLimit(limits.requests_per_minute, context.rates),
        RateLimit(limits.segments_per_minute, context.rates, "lecture segments"),
    )


def create_app(context: AppContext) -> Flask:
    """The WSGI app of this process."""
    app = bare_app(context.limits.body_bytes)
    desk = Dispatcher(context, _door(context), Gate(context.limits.open_requests), Gate(context.limits.open_streams))
    for operation in OPERATIONS:
        desk.offer(operation, app)
    offer_health(app, context.services)
    offer_document(app, OPERATIONS)
    offer_site(app, context)
    if context.files:
        offer_uploads(app, context, context.files)
    return app
