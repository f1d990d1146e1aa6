"""Cloud Storage on one machine, for the real client: gcp-storage-emulator with what it lacks.

    python -m scripts.cloud_local.storage --port 8125 --bucket books --bucket artefacts --watch books \\
        --event finalized=http://127.0.0.1:8126 --event archived=http://127.0.0.1:8127 --grant embedder:books=objectViewer

A bucket that is watched keeps versions, as Terraform makes it: what is deleted or overwritten there is archived. Added:
generation preconditions and old generations (412, 404), sizes that a signed URL allows (400), what a program may do to a bucket
(403): a program calls below /as/PROGRAM, who calls elsewhere may do everything; CloudEvents of what happens in the buckets
watched (events.py), and for tests GET /_events, and POST what Handler._control knows below it. Signatures of URLs are not
checked. It reaches into the emulator, whose version is pinned."""

import argparse
import json
import logging
import re
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from email.message import Message
from functools import partial
from http import HTTPStatus
from http.server import ThreadingHTTPServer
from io import BytesIO
from threading import RLock
from typing import Any
from urllib.parse import parse_qs, urlsplit

from gcp_storage_emulator.exceptions import NotFound
from gcp_storage_emulator.handlers.buckets import create_bucket
from gcp_storage_emulator.server import RequestHandler, Router, _read_raw_data
from gcp_storage_emulator.storage import Storage

from scripts.cloud_local.events import ARCHIVED, DEADLINE, DELETED, FINALIZED, Events

CONTROL = "/_events"  # no bucket's name begins so
CALLER = re.compile(r"^/as/(\w+)(?=/)")
BUCKET = re.compile(r"^(?:(?:/upload|/download)?/storage/v1/b)?/([^/?]+)")
METHODS = {"objectViewer": {"GET"}, "objectUser": {"GET", "POST", "PUT", "DELETE", "PATCH"}}  # by role
OBJECT = "google.cloud.storage.object.v1."  # a type of event, but for its last word


class Refused(Exception):
    """The request changes nothing. Arguments: status and message."""


class GenerationStorage(Storage):  # type: ignore[misc]  # the emulator has no types
    """One request at a time: what it asked of generations holds for every change and every look within it."""

    def __init__(self, watched: list[str], events: Events, folder: str | None) -> None:
        super().__init__(use_memory_fs=folder is None, data_dir=folder)
        self._watched, self._events, self._lock = watched, events, RLock()
        self._expected: int | None = None  # ifGenerationMatch; 0: that there is none
        self._generation: str | None = None  # the one asked for; None: the newest
        self.seen: str | None = None  # the generation looked at
        self._last = 0

    def move_to(self, address: str) -> None:
        """Objects of an earlier run say where they can be read: that is another port now."""
        for resource in (resource for objects in self.objects.values() for resource in objects.values()):
            link = urlsplit(resource["mediaLink"])
            resource["mediaLink"] = f"{address}{link.path}?{link.query}"

    @contextmanager
    def request(self, query: Mapping[str, list[str]], headers: Message) -> Iterator[None]:
        expected = query.get("ifGenerationMatch", [headers.get("x-goog-if-generation-match")])[0]
        with self._lock:
            self._expected = None if expected is None else int(expected)
            self._generation = query.get("generation", [None])[0]
            self.seen = None
            yield

    def create_file(self, bucket: str, name: str, content: bytes, resource: dict[str, Any], file_id: str | None = None) -> None:
        old = self._current(bucket, name)
        self._refuse_unless_expected(old)
        self._number(resource)
        super().create_file(bucket, name, content, resource, file_id)
        self._happened(FINALIZED, resource)
        if old:
            self._gone(old | {"overwrittenByGeneration": resource["generation"]})

    def delete_file(self, bucket: str, name: str) -> None:
        old = self.get_file_obj(bucket, name)
        super()._hard_delete_file(bucket, name)
        self._gone(old)

    def get_file_obj(self, bucket: str, name: str) -> dict[str, Any]:
        found: dict[str, Any] = super().get_file_obj(bucket, name)
        if self._generation not in {None, found["generation"]}:
            raise NotFound
        self._refuse_unless_expected(found)
        self.seen = found["generation"]
        return found

    def _current(self, bucket: str, name: str) -> dict[str, Any] | None:
        found: dict[str, Any] | None = self.objects.get(bucket, {}).get(name)
        return found

    def _refuse_unless_expected(self, current: dict[str, Any] | None) -> None:
        if self._expected is not None and self._expected != int(current["generation"] if current else 0):
            raise Refused(HTTPStatus.PRECONDITION_FAILED, "At least one of the pre-conditions you specified did not hold.")

    def _number(self, resource: dict[str, Any]) -> None:
        """A generation greater than any before, in microseconds; the emulator's own is from before an upload in pieces."""
        self._last = max(self._last + 1, time.time_ns() // 1000)
        for part in ("id", "mediaLink"):
            resource[part] = resource[part].replace(resource["generation"], str(self._last))
        resource["generation"] = str(self._last)

    def _gone(self, resource: dict[str, Any]) -> None:
        self._happened(ARCHIVED if resource["bucket"] in self._watched else DELETED, resource)

    def _happened(self, kind: str, resource: dict[str, Any]) -> None:
        if not self._watched or resource["bucket"] in self._watched:
            self._events.happened(kind, resource)


class Handler(RequestHandler):  # type: ignore[misc]  # the emulator has no types
    """Reads a request wholly, answers it alone, then writes: a slow or dead client does not delay others."""

    def __init__(self, events: Events, storage: GenerationStorage, grants: Mapping[str, str], *server: Any) -> None:
        self._events, self._grants = events, grants
        super().__init__(storage, *server)

    def parse_request(self) -> bool:
        if not super().parse_request():
            return False
        if self.headers.get("Transfer-Encoding", "").lower() == "chunked":
            body = _read_raw_data(self) or b""
            del self.headers["Transfer-Encoding"]
            self.headers["Content-Length"] = str(len(body))
        else:
            body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        self.rfile = BytesIO(body)
        return len(body) == int(self.headers.get("Content-Length", 0))  # fewer: the client died, and nothing happened

    def end_headers(self) -> None:
        """The client keeps the generation it was given with the bytes."""
        if self.storage.seen:
            self.send_header("X-Goog-Generation", self.storage.seen)
        super().end_headers()

    def answer(self) -> None:
        asked, connection = urlsplit(self.path), self.wfile
        query = parse_qs(asked.query)
        if asked.path.startswith(CONTROL):
            return self._control(asked.path.removeprefix(CONTROL), query)
        self.wfile = BytesIO()
        try:
            self._refuse_caller()
            self._refuse_size()
            with self.storage.request(query, self.headers):
                Router(self).handle(self.command)
        except Refused as refused:
            self._refuse(refused)
        connection.write(self.wfile.getvalue())
        self.wfile = connection
        return None

    do_GET = do_POST = do_PUT = do_DELETE = do_PATCH = answer  # noqa: N815  # http.server's names

    def _refuse_caller(self) -> None:
        """Raises Refused where the program that calls has no role on the bucket that allows it."""
        if not (caller := CALLER.match(self.path)):
            return
        self.path = self.path[caller.end() :]
        found = BUCKET.match(self.path)
        role = self._grants.get(f"{caller[1]}:{found[1]}" if found else "", "")
        if self.command not in METHODS.get(role, ()):
            raise Refused(HTTPStatus.FORBIDDEN, f"{caller[1]} does not have storage.objects access to {self.path}.")

    def _refuse_size(self) -> None:
        """Raises Refused where the body is not as large as the address allows."""
        if allowed := self.headers.get("x-goog-content-length-range"):
            least, most = map(int, allowed.split(","))
            if not least <= int(self.headers.get("Content-Length", 0)) <= most:
                raise Refused(HTTPStatus.BAD_REQUEST, "Your proposed upload is of another size than the policy allows.")

    def _refuse(self, refused: Refused) -> None:
        self.wfile = BytesIO()
        status, message = refused.args
        self._json(status, {"error": {"code": status, "message": message}})

    def _control(self, what: str, query: Mapping[str, list[str]]) -> None:
        if what == "/deadline":
            self._events.deadline = float(query.get("s", [DEADLINE])[0])
        self._json(HTTPStatus.OK, [event.told() for event in self._events.history])

    def _json(self, status: HTTPStatus, value: object) -> None:
        body = json.dumps(value).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


class Server(ThreadingHTTPServer):
    request_queue_size = 128


def serve(options: argparse.Namespace) -> None:
    """Until the process is ended; tells its port on one line of JSON once it answers."""
    logging.disable(logging.CRITICAL)  # the emulator logs every refusal as an error
    addresses = dict(each.split("=", 1) for each in options.event)
    events = Events({f"{OBJECT}{kind}": url for kind, url in addresses.items()}, *options.retry_seconds, tokens=options.tokens)
    storage = GenerationStorage(options.watch, events, options.data)
    for bucket in options.bucket:
        if not storage.get_bucket(bucket):
            create_bucket(bucket, storage)
    grants = dict(each.split("=") for each in options.grant)
    server = Server(("127.0.0.1", options.port), partial(Handler, events, storage, grants))
    storage.move_to(f"http://127.0.0.1:{server.server_port}")
    events.start()
    print(json.dumps({"port": server.server_port}), flush=True)
    server.serve_forever()


def main() -> None:
    parser = argparse.ArgumentParser(description="Cloud Storage on one machine.")
    parser.add_argument("--port", type=int, default=0, help="0: a free one")
    parser.add_argument("--bucket", action="append", default=[], help="name of a bucket to begin with")
    parser.add_argument("--watch", action="append", default=[], help="name of a bucket that sends events; none named: all do")
    parser.add_argument("--event", action="append", default=[], help="KIND=ADDRESS: who is told of that kind")
    parser.add_argument("--grant", action="append", default=[], help="PROGRAM:BUCKET=ROLE, objectViewer or objectUser")
    parser.add_argument("--tokens", default="", help="where the token for these addresses comes from; none: without")
    parser.add_argument("--retry-seconds", nargs=2, type=float, default=[1.0, 60.0], help="first and longest wait")
    parser.add_argument("--data", help="folder that keeps everything; none: memory")
    serve(parser.parse_args())


if __name__ == "__main__":
    main()
