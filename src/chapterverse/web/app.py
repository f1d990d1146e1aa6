"""The app: what each request goes through, and what can be asked."""

from flask import Flask

from chapterverse.web import (
    answers,
    assignments,
    batches,
    books,
    conversations,
    desk_documents,
    documents,
    essays,
    evaluation,
    evidence,
    faq,
    inbox,
    kept,
    lectures,
    own,
    pages,
    people,
    settings,
    textbook,
    textbooks,
    uploads,
)
from chapterverse.web.auth import Door
from chapterverse.web.bare import bare_app
from chapterverse.web.health import offer_document, offer_health
from chapterverse.web.limits import Gate, RateLimit
from chapterverse.web.local_files import offer_uploads
from chapterverse.web.operations import Desk, Operation
from chapterverse.web.parts import Parts
from chapterverse.web.site.pages import offer_site

OPERATIONS: tuple[Operation, ...] = tuple(
    operation
    for topic in (
        essays.topic,
        kept.topic,
        own.topic,
        books.topic,
        evidence.topic,
        pages.topic,
        uploads.topic,
        evaluation.topic,
        batches.topic,
        documents.topic,
        textbooks.topic,
        textbook.topic,
        answers.topic,
        conversations.topic,
        inbox.topic,
        faq.topic,
        lectures.topic,
        desk_documents.topic,
        settings.topic,
        people.topic,
        assignments.topic,
    )
    for operation in topic.operations
)


def _door(parts: Parts) -> Door:
    figures = parts.figures
    return Door(parts, RateLimit(figures.requests_per_minute), RateLimit(figures.segments_per_minute))


def create_app(parts: Parts) -> Flask:
    """A WSGI app; one for a process, its limits are counted in it."""
    app = bare_app(parts.figures.body_bytes)
    desk = Desk(parts, _door(parts), Gate(parts.figures.open_requests), Gate(parts.figures.open_streams))
    for operation in OPERATIONS:
        desk.offer(operation, app)
    offer_health(app, parts.services)
    offer_document(app, OPERATIONS)
    offer_site(app, parts)
    if parts.files:
        offer_uploads(app, parts, parts.files)
    return app
