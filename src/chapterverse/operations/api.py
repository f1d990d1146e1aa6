"""HTTP: a copy of what is stored about oneself, and for admins of all that is stored for their school."""

from collections.abc import Iterator
from contextlib import suppress
from zipfile import ZIP_DEFLATED, ZipFile

from flask import Response

from chapterverse.accounts.model import KeyScope
from chapterverse.core import errors
from chapterverse.core.errors import NotFound
from chapterverse.essays.batch.api import ZIP
from chapterverse.essays.history import essay_of, list_own, visible_feedback
from chapterverse.essays.render import feedback_html
from chapterverse.infrastructure.storage.folder import ZipParts
from chapterverse.operations.archive import school_archive
from chapterverse.web.language import readers_language
from chapterverse.web.operations import ApiTopic, Call

topic = ApiTopic("Copies of data")
ARCHIVE = {ZIP: {"type": "string", "format": "binary", "description": "A zip file."}}


@topic.operation("GET", "/me/data.zip", KeyScope.STUDENT, errors.BadRequest, media=ARCHIVE)
def own_data(call: Call) -> Response:
    """What is stored about the signed-in person: essays as text, the feedback that they may read as web pages, everything else
    as JSON lines. Needs a session, not a key."""
    if call.caller.person is None:
        raise errors.BadRequest("only_people_have_data")
    return _download("my-data.zip", _own_files(call, call.caller.person, readers_language()))


@topic.operation("GET", "/school/data.zip", KeyScope.ADMIN, media=ARCHIVE)
def school_data(call: Call) -> Response:
    """All that is stored for the school, as `chapterverse schools export` writes it: `chapterverse schools import` brings it
    into another installation."""
    return _download(f"{call.caller.school}.zip", school_archive(call.caller.school, call.context.archive()))


def _own_files(call: Call, person: str, language: str) -> Iterator[bytes]:
    parts, school, history = ZipParts(), call.caller.school, call.context.essays.history
    with ZipFile(parts, "w", ZIP_DEFLATED) as archive:
        for table, lines in call.context.archive().rows.of_person(school, person).items():
            archive.writestr(f"{table}.jsonl", lines)
        for number, stored in enumerate(list_own(school, person, history), start=1):
            archive.writestr(f"essays/{number:03}.txt", essay_of(stored).text)
            with suppress(NotFound):  # written by another version of chapterverse
                if stored.approved:
                    archive.writestr(f"essays/{number:03}.html", feedback_html(visible_feedback(stored), language=language))
            yield parts.take()
    yield parts.take()


def _download(name: str, parts: Iterator[bytes]) -> Response:
    return Response(parts, headers={"Content-Disposition": f'attachment; filename="{name}"'}, content_type=ZIP)
