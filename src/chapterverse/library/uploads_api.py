"""Files that are sent to signed addresses of this server, where no bucket takes them."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http import HTTPStatus
from threading import Lock
from time import monotonic
from urllib.parse import parse_qsl

from flask import Flask, Response, request

from chapterverse.core.errors import BadRequest, Unauthenticated
from chapterverse.core.names import media_type_of
from chapterverse.infrastructure.storage.folder import FolderUploads
from chapterverse.library.tasks import receive_task
from chapterverse.web.context import AppContext

UPLOADS = "/uploads/"
ADMIT = "chapterverse.admit"
"""Name of the app's extension that says which large bodies are read (web/server.py)."""


@dataclass
class OneTime:
    """The signed addresses that took a file in this process, or are taking one; each takes one file."""

    _until: dict[str, float] = field(default_factory=dict)
    _lock: Lock = field(default_factory=Lock)

    @contextmanager
    def use(self, signature: str, seconds: float) -> Iterator[None]:
        """Use an address up; if the block fails, it can be used again. seconds: that an address lives. Raises
        Unauthenticated."""
        now = monotonic()
        with self._lock:
            self._until = {each: until for each, until in self._until.items() if until > now}
            if signature in self._until:
                raise Unauthenticated("upload_address_used")
            self._until[signature] = now + seconds
        try:
            yield
        except BaseException:
            with self._lock:
                self._until.pop(signature, None)
            raise


def offer_uploads(app: Flask, context: AppContext, files: FolderUploads) -> None:
    """Add PUT /uploads/{school}/{file} and /uploads/{school}/{collection}/{file} to the app."""
    once = OneTime()

    def receive(name: str) -> Response:
        request.max_content_length = context.intake.limits.bytes
        signature = request.args.get("signature", "")
        files.verify(name, request.args.get("expires", 0, int), signature)
        if request.mimetype != (wanted := media_type_of(name)):
            raise BadRequest("wrong_content_type", content_type=wanted)
        with once.use(signature, context.limits.upload_url_seconds):
            context.intake.queue.add(receive_task(files.write(name, request.stream)))
        return Response(status=HTTPStatus.NO_CONTENT)

    def admit(path: str, query: str, headers: Mapping[str, str]) -> bool:
        """Whether a large body may be read: it has a signed address, or a key or session to be checked then."""
        if not path.startswith(UPLOADS):
            return any(headers.get(each) for each in ("AUTHORIZATION", "X_API_KEY", "COOKIE"))
        name, given = path.removeprefix(UPLOADS).encode("latin-1").decode(errors="replace"), dict(parse_qsl(query))
        expires = given.get("expires", "")
        with suppress(Unauthenticated):
            files.verify(name, int(expires) if expires.isdecimal() else 0, given.get("signature", ""))
            return True
        return False

    app.extensions[ADMIT] = admit
    app.add_url_rule("/uploads/<path:name>", "receive_file", receive, methods=["PUT"])
