"""Essays of a whole class, which feedback is written on overnight."""

from collections.abc import Mapping
from http import HTTPStatus
from typing import Any

from flask import Response, request

from chapterverse.accounts.model import KeyScope
from chapterverse.core import errors
from chapterverse.essays.batch import schemas
from chapterverse.essays.batch.entries import (
    Entry,
    entries_in_csv,
    entries_in_files,
    entries_in_folder,
    entries_in_jsonl,
    entries_in_zip,
)
from chapterverse.essays.batch.files import CSV, JSONL
from chapterverse.essays.batch.model import BatchKey, EssayBatch, EssayState
from chapterverse.essays.batch.results import class_table, files_of, one_of_class, pages_of, read_file, with_semicolons
from chapterverse.essays.batch.service import batch_json, begin_batch, essays_of, hand_in, take_back, told_json, try_again
from chapterverse.essays.review import approve_all
from chapterverse.library.api import FORM
from chapterverse.web.operations import LINES, PREFIX, ApiTopic, Call

topic = ApiTopic("Batches")

ZIP = "application/zip"

READERS = {LINES: entries_in_jsonl, "application/jsonl": entries_in_jsonl, "text/csv": entries_in_csv}

TAKES: Mapping[str, Mapping[str, Any]] = {
    LINES: {"type": "string", "description": 'An essay a line: {"id": …, "title": …, "text": …}.'},
    "application/jsonl": {"type": "string", "description": "The same."},
    "text/csv": {"type": "string", "description": "The first row names the columns: id, title, text."},
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

TYPES = {".jsonl": LINES, ".csv": "text/csv", ".html": "text/html"}

FILES = {type_: {"type": "string"} for type_ in TYPES.values()}

MAY_RAISE = (errors.NotFound, errors.BucketUnavailable)


@topic.operation(
    "POST",
    "/batches",
    KeyScope.TEACHER,
    *MAY_RAISE,
    errors.QueueUnavailable,
    success=HTTPStatus.CREATED,
    takes=TAKES,
)
def new_batch(call: Call, query: schemas.BatchQuery, body: schemas.FolderRequest | None = None) -> schemas.BatchDetail:
    """Hand in the essays of a class: as JSON lines, as CSV, as files or a zip of them, or as a folder in the bucket. A
    line or a file that cannot be used is told of and stops no other. The same essays again are the same batch: nothing is
    done twice."""
    night, books = call.context.night, [name for name in query.books.split(",") if name]
    batch = hand_in(call.caller.school, _entries(call, body), books, night, query.name)
    if query.start == "now":
        batch = begin_batch(batch.key, night)
    return _detail(call, batch)


@topic.operation("GET", "/batches", KeyScope.TEACHER)
def all_batches(call: Call) -> schemas.Batches:
    """The school's batches, newest first, and how far each has come."""
    night = call.context.night
    found = [batch_json(batch, night.now()) for batch in night.store.of_school(call.caller.school)]
    return schemas.Batches(batches=[schemas.Batch.model_validate(each) for each in found])


@topic.operation("GET", "/batches/{batch}", KeyScope.TEACHER, *MAY_RAISE)
def one_batch(call: Call, batch: str) -> schemas.BatchDetail:
    """How far a batch has come, when it will be done, which essays failed or are left, and why."""
    return _detail(call, call.context.night.store.batch(_key(call, batch)))


@topic.operation("GET", "/batches/{batch}/essays", KeyScope.TEACHER, *MAY_RAISE)
def batch_table(call: Call, batch: str) -> schemas.Table:
    """Every essay of a batch in a row: how far it is, and figures of its feedback as it is shown now."""
    return schemas.Table.model_validate({"essays": list(class_table(_key(call, batch), call.context.night))})


@topic.operation("GET", "/batches/{batch}/essays/{number}", KeyScope.TEACHER, *MAY_RAISE)
def batch_essay(call: Call, batch: str, number: int) -> schemas.OneEssay:
    """One essay of a batch, which come before and after it, and the id of its feedback."""
    return schemas.OneEssay.model_validate(one_of_class(_key(call, batch), number, call.context.night))


@topic.operation("POST", "/batches/{batch}/begin", KeyScope.TEACHER, *MAY_RAISE, errors.QueueUnavailable)
def begin(call: Call, batch: str, body: schemas.BeginBatchRequest) -> schemas.BatchDetail:
    """Do at once what waits or was left; under way already, nothing happens. What cannot be used stays failed."""
    again = try_again if body.failed else begin_batch
    return _detail(call, again(_key(call, batch), call.context.night))


@topic.operation("POST", "/batches/{batch}/approval", KeyScope.TEACHER, *MAY_RAISE, success=HTTPStatus.NO_CONTENT)
def approve_essays(call: Call, batch: str, body: schemas.ApproveEssaysRequest) -> None:
    """Let students see the feedback on several essays of a batch at once."""
    key, keeping = _key(call, batch), call.context.night.keeping
    call.context.night.store.batch(key)
    kept = keeping.ids_in(key)
    approve_all(key.school, [kept[number] for number in body.essays if number in kept], keeping)


@topic.operation("GET", "/batches/{batch}/results", KeyScope.TEACHER, *MAY_RAISE)
def batch_results(call: Call, batch: str) -> schemas.Results:
    """Addresses of the feedback: all of it as JSON lines and as CSV, and a page a student with the id that its feedback is kept
    under."""
    key, night = _key(call, batch), call.context.night
    state = night.store.batch(key).state(night.now())
    names = files_of(key, night)
    kept = night.keeping.ids_in(key)
    pages = [
        schemas.Page(number=n, id=id, address=_address(key, name), feedback=kept.get(n))
        for n, id, name in pages_of(key, night)
        if name in names
    ]
    jsonl, csv = (_address(key, name) if name in names else None for name in (JSONL, CSV))
    return schemas.Results(state=state, jsonl=jsonl, csv=csv, pages=pages)


@topic.operation("GET", "/batches/{batch}/results/{file}", KeyScope.TEACHER, *MAY_RAISE, media=FILES)
def batch_file(call: Call, batch: str, file: str, query: schemas.FileQuery) -> Response:
    """One of these files."""
    data = read_file(_key(call, batch), file, call.context.night)
    if file == CSV and query.separator == "semicolon":
        data = with_semicolons(data)
    ending = file[file.rfind(".") :]
    as_file = {"Content-Disposition": f'attachment; filename="{file}"'}
    return Response(data, headers=as_file, content_type=f"{TYPES[ending]}; charset=utf-8")


@topic.operation("DELETE", "/batches/{batch}", KeyScope.TEACHER, *MAY_RAISE, success=HTTPStatus.NO_CONTENT)
def forget_batch(call: Call, batch: str) -> None:
    """Forget a batch, its essays and all that was written on them, at once, also while it is being done."""
    take_back(_key(call, batch), call.context.night)


def _key(call: Call, batch: str) -> BatchKey:
    return BatchKey(call.caller.school, batch)


def _address(key: BatchKey, name: str) -> str:
    return f"{PREFIX}/batches/{key.batch}/results/{name}"


def _entries(call: Call, body: schemas.FolderRequest | None) -> list[Entry]:
    most, figures, find = call.context.night.limits.essays, call.context.limits, call.context.find_text
    if body:
        uploads = call.context.intake.uploads
        return entries_in_folder(uploads, call.caller.school, body.folder, most, figures.batch_bytes, find=find)
    request.max_content_length = request.max_form_memory_size = figures.batch_bytes
    if request.mimetype == FORM:
        request.max_form_parts = most + 1
        return entries_in_files(((file.filename or "", file.read()) for file in request.files.getlist("file")), find)
    if request.mimetype == ZIP:
        return entries_in_zip(request.get_data(), most, figures.batch_bytes, find=find)
    return READERS[request.mimetype](request.get_data())


def _detail(call: Call, batch: EssayBatch) -> schemas.BatchDetail:
    night = call.context.night
    unfinished = [told_json(one) for one in essays_of(batch.key, night) if one.essay.state is not EssayState.DONE]
    return schemas.BatchDetail.model_validate({**batch_json(batch, night.now()), "unfinished": unfinished})
