"""The forms that feedback is given in, beside JSON."""

from collections.abc import Iterable

from flask import Response, request
from werkzeug.exceptions import NotAcceptable

from chapterverse.usecases.feedback_html import feedback_html, feedback_pdf
from chapterverse.usecases.feedback_markdown import feedback_markdown
from chapterverse.usecases.lit_pages import lit_pages
from chapterverse.usecases.write_feedback import Feedback
from chapterverse.web.operations import JSON, Call

MARKDOWN, HTML, PDF = "text/markdown", "text/html", "application/pdf"
FORMS = {
    MARKDOWN: {"type": "string", "description": "The same as one text."},
    HTML: {
        "type": "string",
        "description": "A page to hand out: the essay with marks, feedback, evidence, pictures of its pages.",
    },
    PDF: {"type": "string", "format": "binary", "description": "The same page, to be printed."},
}
NAMED = {"json": JSON, "markdown": MARKDOWN, "html": HTML, "pdf": PDF}


def accepted(media: Iterable[str]) -> str:
    """JSON or that of the media which the caller likes best. Raises NotAcceptable."""
    form = request.accept_mimetypes.best_match([JSON, *media]) if request.accept_mimetypes else JSON
    if form is None:
        raise NotAcceptable
    return form


def written(form: str, given: Feedback, call: Call) -> Response:
    """The feedback as MARKDOWN, HTML or PDF. Raises TooLarge."""
    return Response(_written(form, given, call), content_type=form if form == PDF else f"{form}; charset=utf-8")


def _written(form: str, given: Feedback, call: Call) -> str | bytes:
    if form == MARKDOWN:
        return feedback_markdown(given)
    pages = lit_pages(given.evidence.evidence, call.caller.school, call.parts.services, call.parts.draw)
    return feedback_html(given, pages) if form == HTML else feedback_pdf(given, pages, call.parts.printer)
