"""Addresses that teachers send PDFs to."""

from datetime import timedelta
from http import HTTPStatus

from chapterverse import errors
from chapterverse.model import KeyScope
from chapterverse.usecases.versions import book_of
from chapterverse.web import schemas
from chapterverse.web.operations import Call, Topic

topic = Topic("Uploads")

HEADERS = {"Content-Type": "application/pdf"}


@topic.operation("POST", "/uploads", KeyScope.TEACHER, errors.BucketUnavailable, success=HTTPStatus.CREATED)
def upload(call: Call, body: schemas.UploadRequest) -> schemas.Upload:
    """An address to send one PDF to, good for a while."""
    seconds = call.parts.figures.upload_url_seconds
    expires = call.parts.now() + timedelta(seconds=seconds)
    url = call.parts.intake.uploads.upload_url(f"{call.caller.school}/{body.file_name}", seconds)
    book = book_of(body.file_name, call.parts.services.catalog.books(call.caller.school))
    return schemas.Upload(url=url, headers=HEADERS, expires=expires, book=book)
