"""Files in requests: forms with a file, and PUT to a signed upload address where this app stores uploads itself.

In the cloud the bucket takes the PUT. The signature of the address, not a key, authorizes the file's name and thereby its
school."""

from http import HTTPStatus
from pathlib import PurePath
from typing import Any

from flask import Flask, Response, request

from chapterverse.core.errors import BadRequest
from chapterverse.core.names import media_type_of
from chapterverse.library.html.files import PAGE_ENDINGS, File, pack
from chapterverse.library.tasks import receive_task
from chapterverse.library.text.entries import LONGEST_DEPARTMENT
from chapterverse.web.context import AppContext, ReceivesFiles

FORM = "multipart/form-data"
FILE_FIELD = {"type": "string", "format": "binary", "description": "The file, with its name."}
DEPARTMENT_FIELD = {"type": "string", "maxLength": LONGEST_DEPARTMENT, "description": "Of the help desk; empty: all of them."}


def form_of(**fields: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """The schema of a form with a file and these fields, for requests that take one instead of JSON."""
    return {FORM: {"type": "object", "required": ["file"], "properties": {"file": FILE_FIELD, **fields}}}


def sent_file(max_bytes: int) -> tuple[str, bytes]:
    """Name and content of the form's file. Raises BadRequest, TooLarge."""
    request.max_content_length = request.max_form_memory_size = max_bytes
    sent = request.files.get("file")
    if sent is None:
        raise BadRequest("form_without_file")
    return PurePath((sent.filename or "").replace("\\", "/")).name, sent.read()


def department_in_form() -> str | None:
    """The form's department on one line; None if empty. Raises BadRequest."""
    department = " ".join(request.form.get("department", "").split())
    if len(department) > LONGEST_DEPARTMENT or not department.isprintable():
        raise BadRequest("department_too_long", max_characters=LONGEST_DEPARTMENT)
    return department or None


def as_source(name: str, data: bytes) -> tuple[str, bytes]:
    """The file as a source: a single page becomes a zip of a folder with that page."""
    if not name.lower().endswith(PAGE_ENDINGS):
        return name, data
    return f"{PurePath(name).stem}.zip", pack([File(name, data)])


def offer_uploads(app: Flask, context: AppContext, files: ReceivesFiles) -> None:
    """Add PUT /uploads/{school}/{file} and /uploads/{school}/{collection}/{file} to the app."""

    def receive(name: str) -> Response:
        request.max_content_length = context.intake.limits.bytes
        files.verify(name, request.args.get("expires", 0, int), request.args.get("signature", ""))
        if request.mimetype != (wanted := media_type_of(name)):
            raise BadRequest("wrong_content_type", content_type=wanted)
        context.intake.queue.add(receive_task(files.write(name, request.get_data())))
        return Response(status=HTTPStatus.NO_CONTENT)

    app.add_url_rule("/uploads/<path:name>", "receive_file", receive, methods=["PUT"])
