"""PUT to an address that POST /api/v1/uploads gave out, where this app takes in the files itself; in the cloud the bucket does.

The address is signed: its signature, not a key, says that this name may be written, and so in which school's folder."""

from http import HTTPStatus

from flask import Flask, Response, request

from chapterverse.errors import BadRequest
from chapterverse.usecases.tasks import receive_task
from chapterverse.usecases.uploaded import media_type_of
from chapterverse.web.parts import Parts, ReceivesFiles


def offer_uploads(app: Flask, parts: Parts, files: ReceivesFiles) -> None:
    """PUT /uploads/{school}/{file}, or /uploads/{school}/{collection}/{file}."""

    def receive(name: str) -> Response:
        request.max_content_length = parts.intake.limits.bytes
        files.verify(name, request.args.get("expires", 0, int), request.args.get("signature", ""))
        if request.mimetype != (wanted := media_type_of(name)):
            raise BadRequest("wrong_content_type", content_type=wanted)
        file = files.write(name, request.get_data())
        parts.intake.queue.add(receive_task(file))
        return Response(status=HTTPStatus.NO_CONTENT)

    app.add_url_rule("/uploads/<path:name>", "receive_file", receive, methods=["PUT"])
