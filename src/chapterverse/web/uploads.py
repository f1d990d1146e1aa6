"""Addresses that teachers send files to."""

from datetime import timedelta
from http import HTTPStatus

from chapterverse import errors
from chapterverse.model import Collection, KeyScope
from chapterverse.usecases.uploaded import folder_of, media_type_of
from chapterverse.usecases.versions import book_of
from chapterverse.web import schemas
from chapterverse.web.operations import Call, Topic

topic = Topic("Uploads")


@topic.operation("POST", "/uploads", KeyScope.TEACHER, errors.BucketUnavailable, success=HTTPStatus.CREATED)
def upload(call: Call, body: schemas.UploadRequest) -> schemas.Upload:
    """An address to send one file to, good for a while: a PDF for the books; for other collections also a zip of a folder of
    pages."""
    return address(call, body.file_name, body.collection)


def address(call: Call, file_name: str, collection: Collection) -> schemas.Upload:
    """Where a file of that name is sent that is for the collection."""
    seconds, school = call.parts.figures.upload_url_seconds, call.caller.school
    expires = call.parts.now() + timedelta(seconds=seconds)
    url = call.parts.intake.uploads.upload_url(folder_of(school, collection) + file_name, seconds)
    book = book_of(file_name, call.parts.shelves[collection].catalog.books(school))
    return schemas.Upload(url=url, headers={"Content-Type": media_type_of(file_name)}, expires=expires, book=book)
