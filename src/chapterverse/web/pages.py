"""A page of a book as a picture."""

from flask import Response, request

from chapterverse import errors
from chapterverse.model import BookId, KeyScope, SentenceId
from chapterverse.names import fingerprint
from chapterverse.usecases.lookup import PageView, draw_page, find_page
from chapterverse.web import page_schemas as schemas
from chapterverse.web.operations import Call, Topic

topic = Topic("Pages")

PNG = "image/png"
A_YEAR = 365 * 24 * 3600


@topic.operation(
    "GET",
    "/pages/{book}/{index}.png",
    KeyScope.STUDENT,
    errors.NotFound,
    errors.TooLarge,
    errors.BadBook,
    errors.BucketUnavailable,
    media={PNG: {"type": "string", "format": "binary"}},
)
def page(call: Call, book: str, index: int, query: schemas.PageQuery) -> Response:
    """A page as it is displayed, and on it a sentence, lit in every box that it has there.

    index counts from 0. An address with a sentence always shows the same; one without shows the version that is searched."""
    sentence = SentenceId(query.sentence) if query.sentence else None
    shelf = call.parts.shelves[query.collection]
    view = find_page(call.caller.school, BookId(book), index, sentence, shelf)
    response = Response(content_type=PNG)
    response.set_etag(_tag(view, query))
    response.headers["Cache-Control"] = f"private, max-age={A_YEAR}, immutable" if sentence else "private, no-cache"
    if not request.if_none_match.contains(response.get_etag()[0] or ""):
        response.set_data(draw_page(view, query.scale, shelf, call.parts.draw))
    response.make_conditional(request)
    return response


def _tag(view: PageView, query: schemas.PageQuery) -> str:
    return fingerprint(view.key.version, str(view.page_index), query.sentence or "", str(query.scale))
