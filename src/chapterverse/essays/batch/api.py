"""HTTP: batches of essays, with their requests and responses."""

from collections.abc import Mapping
from http import HTTPStatus
from typing import Any, Literal

from flask import Response, request
from pydantic import Field
from werkzeug.exceptions import UnsupportedMediaType

from chapterverse.accounts.model import KeyScope
from chapterverse.core.errors import NotFound
from chapterverse.core.requests import Request
from chapterverse.essays.batch.entries import EssayEntry, entries_in_files, entries_in_jsonl, entries_in_zip
from chapterverse.essays.batch.files import JSONL, BatchDetail, BatchResponse, results_of
from chapterverse.essays.batch.model import BatchKey, BatchState, EssayBatch, EssayState
from chapterverse.essays.batch.service import begin_batch, essays_of, remove_batch, submit_batch
from chapterverse.library.api import FORM
from chapterverse.web.operations import LINES, ApiTopic, Call

topic = ApiTopic("Batches")
ZIP = "application/zip"
TAKES: Mapping[str, Mapping[str, Any]] = {
    LINES: {
        "type": "string",
        "description": 'An essay a line: {"id": …, "title": …, "text": …, "task": …}; `task` may be missing.',
    },
    ZIP: {
        "type": "string",
        "format": "binary",
        "description": "A folder of .txt, .md, .docx, .odt and .pdf files, an essay a file.",
    },
    FORM: {
        "type": "object",
        "required": ["file"],
        "properties": {"file": {"type": "array", "items": {"type": "string", "format": "binary"}}},
        "description": "Files of text, Word, OpenDocument or PDF, an essay each; a name without its ending is an id.",
    },
}


class BatchQuery(Request):
    """Options of a new batch."""

    books: str = Field("", max_length=4000, description="Search only these books, separated by commas; empty: all.")
    name: str = Field("", max_length=200, description="Name of the class or task; a later submission replaces it.")
    start: Literal["night", "now"] = Field(
        "night", description="`night`: at the school's scheduled time; `now`: at once. Students' requests have priority."
    )


@topic.operation("POST", "/batches", KeyScope.TEACHER, success=HTTPStatus.CREATED, takes=TAKES)
def new_batch(call: Call, query: BatchQuery) -> BatchDetail:
    """Submit the essays of a class as JSON lines, as files or a zip of them. Lines and files that cannot be used are reported
    and do not stop the others. The same essays again are the same batch; nothing is done twice."""
    context, books = call.context.batches, [name for name in query.books.split(",") if name]
    batch = submit_batch(call.school, read_entries(call), books, context, query.name)
    if query.start == "now":
        batch = begin_batch(batch.key, context)
    return _detail(call, batch)


@topic.operation("GET", "/batches", KeyScope.TEACHER, field="batches")
def all_batches(call: Call) -> list[BatchResponse]:
    """The school's batches, newest first, with their progress."""
    context = call.context.batches
    return [BatchResponse.of(batch, context.now()) for batch in context.store.of_school(call.school)]


@topic.operation("GET", "/batches/{batch}", KeyScope.TEACHER)
def one_batch(call: Call, batch: str) -> BatchDetail:
    """The progress of a batch: when it will be done, which essays failed or are left, and why."""
    return _detail(call, call.context.batches.store.batch(_key(call, batch)))


@topic.operation("POST", "/batches/{batch}/begin", KeyScope.TEACHER)
def begin(call: Call, batch: str) -> BatchDetail:
    """Begin a batch at once. If it is already running, nothing changes."""
    return _detail(call, begin_batch(_key(call, batch), call.context.batches))


@topic.operation("GET", "/batches/{batch}/results", KeyScope.TEACHER, media={LINES: {"type": "string"}})
def batch_results(call: Call, batch: str) -> Response:
    """The feedback as JSON lines, an essay a line, once the batch has ended; `feedback` is its id: GET /feedback/{feedback} has
    it as a page, too."""
    key, context = _key(call, batch), call.context.batches
    if context.store.batch(key).state(context.now()) in (BatchState.WAITING, BatchState.RUNNING):
        raise NotFound("no_such_batch_file")
    as_file = {"Content-Disposition": f'attachment; filename="{JSONL}"'}
    return Response(results_of(key, context), headers=as_file, content_type=f"{LINES}; charset=utf-8")


@topic.operation("DELETE", "/batches/{batch}", KeyScope.TEACHER)
def forget_batch(call: Call, batch: str) -> None:
    """Delete a batch, its essays and all feedback on them, at once, even while it is running."""
    call.context.batches.store.batch(_key(call, batch))  # 404 for an unknown one
    remove_batch(_key(call, batch), call.context.batches)


def _key(call: Call, batch: str) -> BatchKey:
    return BatchKey(call.school, batch)


def read_entries(call: Call) -> list[EssayEntry]:
    """The essays in the request's body. Raises BadRequest, TooLarge, UnsupportedMediaType."""
    max_essays, limits, find = call.context.batches.limits.essays, call.context.limits, call.context.find_text
    request.max_content_length = request.max_form_memory_size = limits.batch_bytes
    if request.mimetype == FORM:
        request.max_form_parts = max_essays + 1
        return entries_in_files(((file.filename or "", file.read()) for file in request.files.getlist("file")), find)
    if request.mimetype == ZIP:
        return entries_in_zip(request.get_data(), max_essays, limits.batch_bytes, find=find)
    if request.mimetype != LINES:
        raise UnsupportedMediaType
    return entries_in_jsonl(request.get_data())


def _detail(call: Call, batch: EssayBatch) -> BatchDetail:
    context = call.context.batches
    unfinished = [one for one in essays_of(batch.key, context) if one.state is not EssayState.DONE]
    return BatchDetail.of(batch, context.now(), unfinished=unfinished)
